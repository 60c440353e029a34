"""Views: how records of a type are laid out, as a list of blocks. Presentation only: no block holds a truth."""
