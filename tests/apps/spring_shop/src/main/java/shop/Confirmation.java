package shop;

/** What a client gets for an order. */
record Confirmation(OrderId id, String number) {}
