"""Groups of related feedback: made as it comes, decided about by people."""
