#!/bin/sh
# PostgreSQL's archive_command for backups by pg_basebackup: archive_wal.sh %p %f FOLDER
# Exit code 0 only once the file lies in the folder, whole and on the disk. The same file a second
# time is taken; another one of the same name is refused: it would be of another server.
set -eu
path=$1 name=$2 folder=$3
archived=$folder/$name.gz
if [ -f "$archived" ]; then
    gzip -dc "$archived" | cmp -s - "$path" || {
        echo "$archived is there already and is not $path." >&2
        exit 1
    }
    sync "$folder" # the last time it may have come no further
    exit 0
fi
unfinished=$folder/.$name.part
gzip -1 -c "$path" > "$unfinished"
sync "$unfinished"
mv "$unfinished" "$archived"
sync "$folder"
