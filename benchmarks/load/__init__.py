"""The load generator: many table units in one cheap process, over real MQTT.

    from benchmarks.load.floor import Floor, Load
    from benchmarks.load.unit import Unit

    floor = Floor(("127.0.0.1", port), [Unit("main", f"t{n}") for n in range(20)])
    floor.open_tables()
    report = floor.run(Load(events=10_000, window=2_000))

As a process of its own: `python -m benchmarks.load --help`.
"""
