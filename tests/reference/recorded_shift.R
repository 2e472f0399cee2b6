# Reference values of the rule for recorded files, from wilcox.test on
# logarithms: the Hodges-Lehmann log-improvement y, one-sided bounds, one-sided
# p-values against y <= 0, y >= 0 and y >= m (m = -log(0.99)).
# Run in this directory: Rscript recorded_shift.R > recorded_shift.csv

m <- -log(0.99)
number <- function(x) sprintf("%.17g", x)
numbers <- function(x) paste(number(x), collapse = " ")
bound <- function(b, c, error, side) {
  # A hair above the error: where it is attained exactly (1/20, 7/70), R goes on
  # to the next wider bound, although this one keeps the error.
  error <- error * (1 + 1e-9)
  test <- wilcox.test(b, c, alternative = side, exact = TRUE, conf.int = TRUE,
                      conf.level = 1 - error)
  end <- if (side == "greater") test$conf.int[1] else test$conf.int[2]
  if (is.finite(end)) number(end) else ""
}
row <- function(name, baseline, contender) {
  b <- log(baseline)
  c <- log(contender)
  p <- function(mu, side)
    wilcox.test(b, c, mu = mu, alternative = side, exact = TRUE)$p.value
  y <- wilcox.test(b, c, exact = TRUE, conf.int = TRUE)$estimate
  cat(paste(name, numbers(baseline), numbers(contender), number(y),
            bound(b, c, 0.05, "greater"), bound(b, c, 0.10, "less"),
            bound(b, c, 0.05, "less"), number(p(0, "greater")),
            number(p(0, "less")), number(p(m, "less")), sep = ","), "\n",
      sep = "")
}

cat(paste0("# ", R.version.string, ": recorded_shift.R\n"))
cat("name,baseline,contender,y,low,high,high_alpha,p_at_most_0,p_at_least_0,",
    "p_at_least_m\n", sep = "")
set.seed(20240601)
times <- function(n, centre, sd) round(centre * exp(rnorm(n, 0, sd)), 4)
row("3 v 3 apart", c(100.1, 100.5, 101.2), c(90.3, 91.7, 90.9))
row("4 v 4 apart", c(100.1, 100.5, 101.2, 99.9), c(90.3, 91.7, 90.9, 92.1))
for (i in 1:12) {
  n <- sample(4:12, 1)
  k <- sample(4:12, 1)
  shift <- sample(c(1, 1, 0.995, 0.98, 0.95, 1.03), 1)
  sd <- sample(c(0.002, 0.01, 0.03), 1)
  row(sprintf("%d v %d times %g", n, k, shift), times(n, 100, sd),
      times(k, 100 * shift, sd))
}
