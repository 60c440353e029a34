"""The block of knowledge that prompts carry: chosen by rank, printed in a stable order, kept by what it holds."""
