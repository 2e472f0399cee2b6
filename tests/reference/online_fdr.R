# LOND levels on the example of the onlineFDR package's documentation, from the
# formulas of Javanmard & Montanari (2018): shares
# gamma_t = 0.07720838 log(max(t, 2)) / (t exp(sqrt(log t))), alpha = 0.05.
# Run in this directory: Rscript online_fdr.R > online_fdr.csv

p <- c(2.9e-8, .06743, .01514, .08174, .00171, 3.6e-5, .79149, .27201, .28295,
       7.59e-8, .69274, .30443, .00136, .72342, .54757)
cat(paste0("# ", R.version.string, ": online_fdr.R\n"))
cat("t,p,share,level,rejected\n")
found <- 0
for (t in seq_along(p)) {
  share <- 0.07720838 * log(max(t, 2)) / (t * exp(sqrt(log(t))))
  level <- 0.05 * share * (found + 1)
  rejected <- p[t] <= level
  cat(sprintf("%d,%.17g,%.17g,%.17g,%d\n", t, p[t], share, level, rejected))
  found <- found + rejected
}
