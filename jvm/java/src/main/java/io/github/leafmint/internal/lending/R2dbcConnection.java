package io.github.leafmint.internal.lending;

import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactory;
import io.r2dbc.spi.ConnectionMetadata;
import io.r2dbc.spi.Result;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;

/** A connection of R2DBC, whose publishers are waited for. */
final class R2dbcConnection implements LentConnection {
    private final Publishers publishers = new Publishers();
    private final Connection connection;
    private final boolean isShared;
    private final boolean committedEach;
    private final ConnectionMetadata database;
    private volatile boolean isBroken;

    private R2dbcConnection(Connection connection, boolean isShared) {
        this.connection = connection;
        this.isShared = isShared;
        committedEach = connection.isAutoCommit();
        database = connection.getMetadata();
    }

    static R2dbcConnection of(ConnectionFactory factory, boolean isShared) throws Exception {
        List<Connection> made = new Publishers().all(factory.create());
        return new R2dbcConnection(made.get(0), isShared);
    }

    @Override
    public String product() {
        return R2dbcProduct.of(connection);
    }

    @Override
    public String version() {
        return database.getDatabaseVersion();
    }

    @Override
    public boolean isShared() {
        return isShared;
    }

    @Override
    public List<Ran> run(List<String> statements) {
        var results = new ArrayList<Ran>();
        try {
            if (!connection.isAutoCommit()) {
                publishers.all(connection.setAutoCommit(true));
            }
            runAll(statements, results);
        } catch (Exception failure) {
            results.add(R2dbcSource.failed(failure));
        }
        return results;
    }

    @Override
    public List<Ran> runTogether(List<String> statements) {
        var results = new ArrayList<Ran>();
        try {
            publishers.all(connection.beginTransaction());
            if (runAll(statements, results)) {
                publishers.all(connection.commitTransaction());
                return results;
            }
        } catch (Exception failure) {
            results.add(R2dbcSource.failed(failure));
        }
        rollBack();
        return results;
    }

    private void rollBack() {
        try {
            publishers.all(connection.rollbackTransaction());
        } catch (Exception failure) {
            cut();
        }
    }

    /** Runs statements in turn. Returns whether none failed. */
    private boolean runAll(List<String> statements, List<Ran> results) throws Exception {
        for (String sql : statements) {
            Ran result = result(sql);
            results.add(result);
            if (result instanceof Ran.Failed) {
                return false;
            }
        }
        return true;
    }

    private Ran result(String sql) throws Exception {
        var rows = new ArrayList<@Nullable String[]>();
        long changed = 0;
        Ran.Failed failed = null;
        boolean hasRows = false;
        int columns = 0;
        for (Result result :
                publishers.<Result>all(connection.createStatement(sql).execute())) {
            for (Object part : publishers.all(result.flatMap(R2dbcConnection::part))) {
                if (part instanceof Ran.Failed message) {
                    failed = message;
                } else if (part instanceof Long count) {
                    changed += count;
                } else {
                    @Nullable String[] row = (String[]) part;
                    columns = row.length;
                    rows.add(row);
                    hasRows = true;
                }
            }
        }
        if (failed != null) {
            return failed;
        }
        return hasRows ? new Ran.Rows(columns, rows) : new Ran.Changed(changed);
    }

    private static Publisher<Object> part(Result.Segment segment) {
        if (segment instanceof Result.RowSegment read) {
            return Publishers.just(R2dbcRow.texts(read.row()));
        }
        if (segment instanceof Result.Message message) {
            return Publishers.just(R2dbcSource.failed(message.exception()));
        }
        return Publishers.just(segment instanceof Result.UpdateCount count ? count.value() : 0L);
    }

    @Override
    public void cut() {
        isBroken = true;
        publishers.cut();
    }

    @Override
    public void close() {
        var last = new Publishers();
        try {
            if (!committedEach && !isBroken) {
                last.all(connection.setAutoCommit(false));
            }
        } catch (Exception failure) {
            // The pool sees it too.
        }
        try {
            last.all(connection.close());
        } catch (Exception failure) {
            // Nothing depends on it.
        }
    }
}
