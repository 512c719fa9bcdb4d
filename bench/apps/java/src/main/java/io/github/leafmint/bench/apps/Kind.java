package io.github.leafmint.bench.apps;

import com.baomidou.mybatisplus.core.mapper.BaseMapper;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * A kind of key: how its rows are made, and what MyBatis-Plus writes them by. Each has entities of its own, because
 * what makes them different is in annotations, whose values are constants.
 */
record Kind(
        Supplier<Order> order,
        Supplier<Line> line,
        Class<? extends BaseMapper<?>> orders,
        Class<? extends BaseMapper<?>> lines) {
    private static final int LINES = 2;

    List<Order> orders(int count) {
        return IntStream.range(0, count).mapToObj(this::order).toList();
    }

    List<Line> lines(List<Order> orders) {
        return orders.stream()
                .flatMap(each -> IntStream.range(0, LINES).mapToObj(product -> line(each, product)))
                .toList();
    }

    private Order order(int customer) {
        Order made = order.get();
        made.customer = customer;
        return made;
    }

    private Line line(Order of, int product) {
        Line made = line.get();
        made.product = product;
        made.of(of.key());
        return made;
    }
}
