package io.github.leafmint.internal.lending;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes answers for the core, which {@code jvm/src/lending/answers.rs} reads. */
final class LendingAnswer {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final DataOutputStream out = new DataOutputStream(bytes);

    private LendingAnswer() {}

    static byte[] ended() {
        return new byte[] {'.'};
    }

    static byte[] connected(LentConnection connection) throws IOException {
        var answer = new LendingAnswer();
        answer.out.writeByte('c');
        answer.write(connection.product());
        answer.write(connection.version());
        answer.out.writeBoolean(connection.isShared());
        return answer.bytes.toByteArray();
    }

    static byte[] ran(List<Ran> results) throws IOException {
        var answer = new LendingAnswer();
        answer.out.writeByte('r');
        answer.out.writeInt(results.size());
        for (Ran result : results) {
            answer.write(result);
        }
        return answer.bytes.toByteArray();
    }

    static byte[] failed(Ran.Failed failure) throws IOException {
        var answer = new LendingAnswer();
        answer.write(failure);
        return answer.bytes.toByteArray();
    }

    private void write(Ran result) throws IOException {
        if (result instanceof Ran.Rows read) {
            out.writeByte('r');
            out.writeInt(read.columns());
            out.writeInt(read.rows().size());
            for (@Nullable String[] row : read.rows()) {
                for (String value : row) {
                    write(value);
                }
            }
        } else if (result instanceof Ran.Changed changed) {
            out.writeByte('n');
            out.writeLong(changed.count());
        } else if (result instanceof Ran.Failed failed) {
            out.writeByte('e');
            out.writeBoolean(failed.number() != null);
            if (failed.number() != null) {
                out.writeInt(failed.number());
            }
            write(failed.state());
            write(failed.text());
            out.writeBoolean(failed.isLost());
        }
    }

    /** Encoding replaces unpaired surrogates. */
    private void write(@Nullable String text) throws IOException {
        if (text == null) {
            out.writeInt(-1);
        } else {
            byte[] encoded = text.getBytes(StandardCharsets.UTF_8);
            out.writeInt(encoded.length);
            out.write(encoded);
        }
    }
}
