"""An evening with everything in it, as pages meet it: claims, proposals, alarms, gaps.

The simulator plays it by seed into a database that stays; what is open at its end stays open.
"""

import subprocess
import sys

from benchmarks.installation import PROJECT, Stage

SEED = 17
STEPS = 900


def play(stage: Stage, seed: int = SEED, steps: int = STEPS) -> str:
    """The name of the database; made once in a directory that is kept."""
    name = f"evening_{seed}_{steps}"
    if stage.has(name):
        return name
    run = [sys.executable, "-m", "benchmarks.evening", name, str(seed), str(steps)]
    environment = stage.environment(stage.url_of("postgres"))
    environment |= {"DJANGO_SETTINGS_MODULE": "config.settings", "DEMO": "1"}
    environment |= {"LOG_LEVEL": "CRITICAL"}  # the faults of the evening are drawn
    subprocess.run(run, env=environment, cwd=PROJECT, check=True)
    return name


def main(name: str, seed: int, steps: int) -> None:
    """In the environment of the console: play it, and keep its database under this name."""
    import django

    django.setup()
    from simulation.environment import patching
    from simulation.template_database import TemplateDatabase
    from simulation.world import World

    ground = TemplateDatabase()
    try:
        ground.prepare()
        world = World(seed, ground, ground.clone())
        with patching.patched(world.clocks, world.make_link):
            try:
                world.begin()
                for _ in range(steps):
                    world.step()
            finally:
                world.end()
        ground.keep(world.database, name)
    finally:
        ground.close()


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
