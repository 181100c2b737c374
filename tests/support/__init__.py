"""What tests share: databases, brokers, houses with their people, and the plain model of money."""
