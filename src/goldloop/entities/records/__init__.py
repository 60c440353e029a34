"""Records: titled, typed content that is accepted to be true, and the lists of them."""
