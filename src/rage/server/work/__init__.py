"""Work for threads and processes: bots, advice and analyses, in a fair order."""
