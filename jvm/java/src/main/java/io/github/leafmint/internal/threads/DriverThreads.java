package io.github.leafmint.internal.threads;

import io.github.leafmint.StoreUnavailableException;
import io.github.leafmint.internal.Text;
import io.github.leafmint.internal.lending.ConnectionSource;
import io.github.leafmint.internal.lending.LentConnections;
import io.github.leafmint.internal.natives.Handle;
import io.github.leafmint.internal.natives.Native;
import java.io.IOException;
import java.lang.ref.Reference;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Answers the core's questions with connections of the application. One thread waits for questions while the others are
 * inside the driver; a driver that hangs costs its thread.
 */
public final class DriverThreads extends Answering {
    /** Most threads: those that the core lets into the driver (16), and some that cut connections. */
    private static final int MOST_THREADS = 20;

    /** How long a thread that is not needed waits for another question, in milliseconds. */
    private static final long LONGEST_REST = 10_000;

    private DriverThreads(ConnectionSource source) {
        super(Native.lendingNew(Text.checkedInConfig("the name of the data source", source.name())));
    }

    /** Starts the first thread of a generator that is about to be opened. */
    public static DriverThreads start(ConnectionSource source) {
        var started = new DriverThreads(source);
        try {
            new Work(started.questions(), new LentConnections(source)).addThread();
        } catch (OutOfMemoryError noMoreThreads) {
            throw new StoreUnavailableException(
                    "the thread that uses the data source could not be started: " + noMoreThreads.getMessage());
        }
        return started;
    }

    /** What the threads of one generator share. It does not refer to the generator. */
    private static final class Work {
        private final Handle questions;
        private final LentConnections connections;
        private int threads;
        private int waiting;

        Work(Handle questions, LentConnections connections) {
            this.questions = questions;
            this.connections = connections;
        }

        /** Adds a thread that waits for questions. */
        void addThread() {
            synchronized (this) {
                if (threads == MOST_THREADS) {
                    return;
                }
                threads++;
                waiting++;
            }
            try {
                new DriverThread(this).start();
            } catch (Throwable failure) {
                leave();
                throw failure;
            }
        }

        private synchronized void leave() {
            threads--;
            waiting--;
        }

        /** Leaves if another thread waits too. */
        private synchronized boolean leaveIfNotNeeded() {
            boolean isNeeded = waiting == 1;
            if (!isNeeded) {
                leave();
            }
            return !isNeeded;
        }

        /** Answers the next question. Returns false if the thread is not needed any more. */
        boolean answerNext() throws IOException {
            try {
                String[] question = Native.lendingTake(questions.value(), LONGEST_REST);
                if (question == null) {
                    leave();
                    connections.closeAll();
                    return false;
                }
                if (question.length == 0) {
                    return !leaveIfNotNeeded();
                }
                answer(Arrays.asList(question));
                return true;
            } finally {
                Reference.reachabilityFence(questions);
            }
        }

        private void answer(List<String> question) throws IOException {
            long number = Long.parseLong(question.get(0));
            var answering = new OneAnswer(number);
            beBusy();
            try {
                connections.answer(question.subList(1, question.size()), answering);
            } finally {
                // Without an answer the core would wait until its deadline.
                answering.test(null);
            }
        }

        /** Sends one answer, and no other. */
        private final class OneAnswer implements Predicate<byte @Nullable []> {
            private final long number;
            private boolean isSent;

            OneAnswer(long number) {
                this.number = number;
            }

            @Override
            public boolean test(byte @Nullable [] answer) {
                if (isSent) {
                    return false;
                }
                isSent = true;
                // First, because the answer brings the next question, for which no thread need be added.
                beFree();
                return Native.lendingAnswer(questions.value(), number, answer);
            }
        }

        private synchronized void beFree() {
            waiting++;
        }

        private void beBusy() {
            boolean isLast;
            synchronized (this) {
                waiting--;
                isLast = waiting == 0;
            }
            try {
                if (isLast) {
                    addThread();
                }
            } catch (OutOfMemoryError noMoreThreads) {
                // The next questions wait until this one is answered.
            }
        }
    }

    /** A daemon: a driver that hangs does not keep the JVM running. */
    private static final class DriverThread extends DaemonThread {
        private final Work work;
        private boolean ended;

        DriverThread(Work work) {
            super("leafmint-driver");
            this.work = work;
        }

        @Override
        protected void step() throws IOException {
            ended = !work.answerNext();
        }

        @Override
        protected boolean goesOn() {
            return !ended;
        }
    }
}
