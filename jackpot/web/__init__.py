"""The web process: admission, limits of bodies, answers while the database is away."""
