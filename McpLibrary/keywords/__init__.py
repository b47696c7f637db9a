"""The keyword groups: thin methods over the session engine and the pure checks, one mixin a topic."""
