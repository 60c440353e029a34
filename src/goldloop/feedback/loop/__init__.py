"""How well the loop of responses works: what rejections say, and what becomes of trying again."""
