"""Knowledge that another system kept as lists under keys, as rows."""
