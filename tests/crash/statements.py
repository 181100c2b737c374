"""What the house of crashes asks the database of the order and of what is held."""

BLOCKS = """
    FROM jackpot_block b JOIN tables_jackpotsystem s ON s.id = b.system_id WHERE s.code = %s
"""
COMMITTED = """
    SELECT s.code, t.code, st.boot, st.committed_seq
    FROM tables_stream st
    JOIN tables_jackpotsystem s ON s.id = st.system_id
    JOIN tables_gamingtable t ON t.id = st.table_id
"""
HELD = """
    SELECT s.code, t.code, st.boot, st.committed_seq,
           (SELECT count(*) FROM jackpot_entry e
            WHERE e.system_id = st.system_id AND e.table_id = st.table_id AND e.boot = st.boot
              AND e.event_seq IS NOT NULL)
    FROM tables_stream st
    JOIN tables_jackpotsystem s ON s.id = st.system_id
    JOIN tables_gamingtable t ON t.id = st.table_id
"""
