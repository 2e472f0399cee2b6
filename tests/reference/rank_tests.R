# Reference values of the rank tests and of p-value adjustment, from R.
# Run in this directory: Rscript rank_tests.R
# Writes mann_whitney.csv, hodges_lehmann.csv, median.csv and adjusted_p.csv.

tool <- paste0("# ", R.version.string, ": rank_tests.R")
text <- function(x) ifelse(is.na(x), "", sprintf("%.17g", x))
draw <- function(n, mean = 0, sd = 1) round(rnorm(n, mean, sd), 6)
list_text <- function(x) paste(text(x), collapse = " ")
start <- function(file, columns) writeLines(c(tool, columns), file)
row <- function(file, ...) cat(paste(..., sep = ","), "\n", sep = "",
                               file = file, append = TRUE)

# Exact tails given ties, by listing every split: the midranks of x against
# those of all choices of as many pooled values.
enumerated <- function(x, y) {
  ranks <- rank(c(x, y))
  n <- length(x)
  sums <- colSums(matrix(ranks[combn(length(ranks), n)], nrow = n))
  observed <- sum(ranks[seq_len(n)])
  eps <- 1e-9
  c(greater = mean(sums >= observed - eps), less = mean(sums <= observed + eps))
}

mann_whitney <- function(name, x, y, method) {
  u <- sum(outer(x, y, ">")) + sum(outer(x, y, "==")) / 2
  if (method == "exact") {
    p <- function(side) wilcox.test(x, y, alternative = side, exact = TRUE)$p.value
    tails <- c(greater = p("greater"), less = p("less"))
  } else if (method == "exact given ties") {
    tails <- enumerated(x, y)
  } else {
    p <- function(side) wilcox.test(x, y, alternative = side, exact = FALSE,
                                    correct = TRUE)$p.value
    tails <- c(greater = p("greater"), less = p("less"))
  }
  two_sided <- min(1, 2 * min(tails[["greater"]], tails[["less"]]))
  row("mann_whitney.csv", name, list_text(x), list_text(y), text(u), method,
      text(tails[["greater"]]), text(tails[["less"]]), text(two_sided))
}

set.seed(20260501)
perm_x <- c(.80, .83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, .73, 1.46)
perm_y <- c(1.15, .88, .90, .74, 1.21)
dep_x <- c(1.83, .50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30)
dep_y <- c(.878, .647, .598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29)
gob_old <- c(3069, 3075, 3069, 3067, 3207, 3064, 3064, 3058, 3059, 3062)
gob_new <- c(3075, 3065, 3059, 3065, 3060, 3081, 3186, 3135, 3087, 3062)

start("mann_whitney.csv", paste0("name,baseline,contender,u,method,",
      "p_contender_lower,p_contender_higher,p_two_sided"))
mann_whitney("permeability", perm_x, perm_y, "exact")
mann_whitney("no overlap 5 v 5", 101:105, 110:114, "exact")
mann_whitney("one against one", 2, 1, "exact")
mann_whitney("one against nine", 5.5, 1:9, "exact")
for (size in c(7, 13, 25, 40, 50)) {
  mann_whitney(paste(size, "v", size), draw(size, 0.5), draw(size), "exact")
}
mann_whitney("3 v 40", draw(3, 1), draw(40), "exact")
mann_whitney("50 v 50 far apart", draw(50, 3), draw(50), "exact")
mann_whitney("depression", dep_x, dep_y, "exact given ties")
mann_whitney("ties one", c(1, 2, 2, 3, 5), c(2, 3, 4, 5, 6), "exact given ties")
mann_whitney("ties two", c(10, 10, 10, 11), c(11, 11, 12, 12), "exact given ties")
mann_whitney("ties three", c(1, 1, 2), c(2, 2, 3, 3, 3), "exact given ties")
mann_whitney("ties three swapped", c(2, 2, 3, 3, 3), c(1, 1, 2), "exact given ties")
mann_whitney("ties four", c(8, 8), c(7, 4.54, 800), "exact given ties")
mann_whitney("all equal", c(4, 4, 4), c(4, 4), "exact given ties")
mann_whitney("gob", gob_old, gob_new, "exact given ties")
mann_whitney("rounded 9 v 11", round(rnorm(9, 1)), round(rnorm(11)),
             "exact given ties")
mann_whitney("60 v 60", draw(60, .3), draw(60), "normal approximation")
mann_whitney("100 v 45", draw(100), draw(45, .3), "normal approximation")
mann_whitney("rounded 40 v 40", round(rnorm(40, .3), 1), round(rnorm(40), 1),
             "normal approximation")
mann_whitney("coarse 35 v 60", round(rnorm(35, .3)), round(rnorm(60)),
             "normal approximation")

# How many values may be cut off at one end: tails[k + 1] = P(statistic <= k).
cut_off <- function(tails, level) sum(tails <= (1 - level) / 2 * (1 + 1e-12))

shift <- function(name, x, y, level) {
  n <- length(x); m <- length(y)
  differences <- sort(outer(x, y, "-"))
  tails <- pwilcox(0:(n * m - 1), n, m)
  cut <- cut_off(tails, level)
  if (n * m > 2500) {
    # Beyond this the normal approximation with continuity correction is used;
    # it cuts off as many values as the exact distribution here.
    tails <- pnorm((0:(n * m - 1) + .5 - n * m / 2) /
                   sqrt(n * m * (n + m + 1) / 12))
    stopifnot(cut_off(tails, level) == cut)
  }
  achieved <- max(0, 1 - 2 * tails[max(cut, 1)])
  ends <- if (cut > 0) differences[c(cut, n * m + 1 - cut)] else c(NA, NA)
  if (cut > 0 && n * m <= 900 && !anyDuplicated(c(x, y))) {
    test <- wilcox.test(x, y, conf.int = TRUE, conf.level = level, exact = TRUE)
    stopifnot(all.equal(as.vector(test$conf.int), ends),
              all.equal(as.vector(test$estimate), median(differences)))
  }
  row("hodges_lehmann.csv", name, list_text(x), list_text(y),
      text(median(differences)), text(level), text(ends[1]), text(ends[2]),
      text(achieved))
}
start("hodges_lehmann.csv", "name,x,y,estimate,level,lower,upper,achieved")
shift("permeability 95", perm_x, perm_y, .95)
shift("permeability 90", perm_x, perm_y, .90)
shift("no overlap 5 v 5", 101:105, 110:114, .95)
shift("3 v 3 cannot reach", c(1, 2, 3), c(4, 6, 8), .95)
shift("3 v 3 at 90", c(1, 2, 3), c(4, 6, 8), .90)
shift("one against one", 2, 5, .5)
shift("1 v 30", 0.3, draw(30), .9)
for (size in c(6, 10, 30, 50)) {
  shift(paste(size, "v", size), draw(size, .5), draw(size), .95)
}
shift("80 v 80 at 85", draw(80, .5), draw(80), .85)

# Drawn for a table that is gone; the tables below keep their numbers by it.
invisible(rnorm(111))

start("median.csv", "values,median,sd")
for (size in c(1, 2, 5, 6, 7, 8, 9, 10, 15, 20, 30, 40)) {
  values <- draw(size, 10, 3)
  row("median.csv", list_text(values), text(median(values)),
      text(if (size > 1) sd(values) else NA))
}

start("adjusted_p.csv", "p,holm,bh")
adjust <- function(p) row("adjusted_p.csv", list_text(p),
                          list_text(p.adjust(p, "holm")),
                          list_text(p.adjust(p, "BH")))
adjust(.03)
adjust(c(.01, .02, .03, .04, .05))
adjust(c(.0001, .0004, .0019, .0095, .0201, .0278, .0298, .0344, .0459, .3240,
         .4262, .5719, .6528, .7590, 1))
adjust(c(.5, .01, .01, 1, 0, .2, .01))
adjust(runif(25)^2)
