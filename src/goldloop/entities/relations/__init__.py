"""Relations: which records a record is connected to, through which of its type's relation fields."""
