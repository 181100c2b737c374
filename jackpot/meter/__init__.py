"""The meter in public: a value and its proof on a page without log-in, and nothing else."""
