"""What sites say of text and data mining, wherever they say it. Knows no Django."""
