"""Hubs that tell of feeds' news as it appears, by WebSub."""
