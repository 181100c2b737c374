"""Celery's queues: of which kind they are at the broker, and which task has one of its own."""

# Quorum queues: RabbitMQ keeps each on several nodes and elects another leader where one is lost.
# A classic one is away with its node, and all tasks with it (docs/decisions/0150). Folders and
# Redis know no kinds.
CELERY_TASK_DEFAULT_QUEUE_TYPE = CELERY_TASK_CREATE_MISSING_QUEUE_TYPE = "quorum"
CELERY_WORKER_CONSUMER = "config.consumer:Consumer"
# A worker of its own, which has PostgreSQL's programs: a restore may take hours.
BACKUP_QUEUE = "backups"
CELERY_TASK_ROUTES = {"settlement.tasks.keep_backups": {"queue": BACKUP_QUEUE}}
