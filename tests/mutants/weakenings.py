"""The weakenings: each takes one guard away, and names a test of the core that fails without it."""

from __future__ import annotations

from typing import NamedTuple


class Place(NamedTuple):
    """A guard in the sources of the core, and what takes its place."""

    file: str
    """Relative to core."""
    text: str
    """Code or SQL that the file has once, with the guard between « and »; without them, all of it is the guard."""
    weak: str
    """Has the guard's type, or is a part of the same string. With an `OFF`, which is true if the guard is switched off,
    it is the code that takes the guard's place in any case."""


class Weakening(NamedTuple):
    """A guard of the core that can be switched off."""

    name: str
    what: str
    """What happens without the guard."""
    test: str
    places: list[Place]
    binary: str = "core"
    """`core` for core/tests, a crate of the core for the tests inside its sources, or `loom` for tests/models/loom."""
    autocommit: bool = True
    """Whether the server's sessions begin with autocommit, and strict about what a column can hold."""


def loom(name: str, what: str, test: str, places: list[Place]) -> Weakening:
    """Describes a weakening that a search of all interleavings of threads catches."""
    return Weakening(name, what, test, places, "loom")


WEAKENINGS = [
    # The limit cell and the segment buffer.
    loom(
        "limit-read-after-the-draw",
        "the hot path reads the limit after it drew",
        "segment::draws::a_segment_that_lands_while_two_threads_run_dry_is_not_eaten_by_their_overshoot",
        [
            Place(
                "engine/src/limit_cell.rs",
                "«self.next_below(self.limit())»",
                "self.next_below(i64::MIN).or_else(|Rejected { number, .. }| { let limit = "
                "self.limit(); if number < limit { Ok(number) } else { Err(Rejected { limit, number }) "
                "} })",
            )
        ],
    ),
    loom(
        "limit-before-cursor-in-a-switch",
        "a switch publishes the limit before the cursor",
        "segment::draws::a_switch_while_two_threads_draw_hands_out_both_segments",
        [
            Place(
                "engine/src/limit_cell.rs",
                "«» let old = self.cursor.0.swap(start, Ordering::AcqRel);",
                "if OFF { self.raise(limit); }",
            )
        ],
    ),
    loom(
        "limit-of-an-earlier-range",
        "the cold path takes a limit equal to the range's start for one of the range",
        "segment::draws::a_contiguous_segment_that_joins_or_follows_while_two_threads_draw_keeps_ids_unique",
        [
            Place(
                "engine/src/segment/buffer.rs", "if «rejected.limit > state.start» &&", "rejected.limit >= state.start"
            )
        ],
    ),
    loom(
        "cursor-reset-in-a-join",
        "a segment that joins sets the cursor to its start",
        "segment::draws::a_contiguous_segment_that_joins_or_follows_while_two_threads_draw_keeps_ids_unique",
        [
            Place(
                "engine/src/segment/buffer.rs",
                "«» state.raise(&self.cell); } _ =>",
                "if OFF { self.cell.switch(range.start, state.limit); }",
            )
        ],
    ),
    loom(
        "batch-without-a-bound",
        "a batch is drawn with an add, past the limit",
        "segment::draws::a_batch_across_the_limit_and_single_draws_never_overlap",
        [
            Place(
                "engine/src/limit_cell.rs",
                "self.take_below(self.limit(), count, count)",
                "let (limit, start) = (self.limit(), self.cursor.0.fetch_add(count, "
                "Ordering::AcqRel)); (start < limit).then(|| start..start + count)",
            )
        ],
    ),
    loom(
        "cell-closed-without-the-mark",
        "a close leaves the cursor where it is",
        "segment::close::a_close_gives_back_exactly_the_ids_that_were_not_drawn",
        [Place("engine/src/limit_cell.rs", "self.cursor.0.swap(CLOSED, Ordering::AcqRel)", "self.cursor()")],
    ),
    loom(
        "tail-read-before-the-close",
        "the tail to give back is read before the cell is shut",
        "segment::close::a_close_gives_back_exactly_the_ids_that_were_not_drawn",
        [
            Place(
                "engine/src/segment/buffer.rs",
                "state.rest = «self.cell.close()».min(state.end);",
                "(self.cell.cursor(), self.cell.close()).0",
            )
        ],
    ),
    Weakening(
        "range-below-the-last-end",
        "a range below the end of the last lease is taken in",
        "segment::refill::a_store_that_leased_a_range_again_is_looked_at_until_it_is_raised_and_the_tag_goes_on",
        [Place("engine/src/segment/buffer.rs", "range.start < state.last_end", "false")],
    ),
    loom(
        "join-after-overshoot",
        "a segment joins a dry one, whose overshoot eats it",
        "segment::draws::draws_past_the_end_do_not_eat_the_segment_that_lands_then",
        [Place("engine/src/segment/buffer.rs", "&& «cell.cursor() <= self.limit»", "true")],
    ),
    Weakening(
        "regression-not-remembered",
        "a tag goes on after its store had leased a range again",
        "segment::refill::a_store_that_leased_a_range_again_is_looked_at_until_it_is_raised_and_the_tag_goes_on",
        [Place("engine/src/segment/supply/attempt.rs", "refill.regressed_below = «Some(end)»,", "None")],
    ),
    Weakening(
        "regressed-store-not-looked-at",
        "a tag leases again from a store that went back, and lifts it over the ids of other processes",
        "segment::refill::processes_whose_store_went_back_do_not_lift_it_over_the_ids_of_one_another",
        [Place("engine/src/segment/supply/attempt.rs", "if let Some(end) = «regressed_below» {", "None::<i64>")],
    ),
    Weakening(
        "packed-key-forgets-its-leases",
        "a key without a handle does not notice that its store went back",
        "segment::series::a_key_without_a_handle_remembers_what_it_has_leased_for_a_store_that_goes_back",
        [Place("engine/src/segment/tag.rs", "self.buffer.go_on_above(«numbers.end»);", "0")],
    ),
    Weakening(
        "regressed-range-kept",
        "each process whose store went back lifts it by a lease",
        "segment::refill::processes_whose_store_went_back_do_not_lift_it_over_the_ids_of_one_another",
        [
            Place(
                "engine/src/segment/supply/attempt.rs",
                "let _ = «store.give_back(&tag.name, range.clone()).await»;",
                "Ok::<_, Error>(range.start > 0)",
            )
        ],
    ),
    # Ticket servers.
    Weakening(
        "ticket-of-another-server",
        "a session whose increment and offset are not those that are pinned draws tickets",
        "tickets::pins::a_session_variable_that_an_init_script_changes_is_refused_and_draws_no_ticket",
        [
            Place("backends/src/mysql/tickets/pin.rs", "if «is_other» {", "false"),
            Place(
                "backends/src/mysql/tickets/draw.rs",
                "if «ticket % pin.increment != pin.offset % pin.increment» {",
                "false",
            ),
            Place(
                "backends/src/mysql/tickets/draw.rs",
                "«AND s.ticket_increment = {increment} AND s.ticket_offset = {offset} AND "
                "@@auto_increment_increment = {increment} AND @@auto_increment_offset = {offset}»",
                "",
            ),
        ],
    ),
    Weakening(
        "ticket-offsets-not-compared",
        "two servers with the same offset are used together",
        "tickets::pins::two_servers_with_the_same_offset_are_refused",
        [Place("backends/src/mysql/tickets/pin.rs", "self.offset == other.offset", "false")],
    ),
    Weakening(
        "ticket-offset-taken-over",
        "a server that lost its data is set up again with its old offset",
        "tickets::pins::a_server_that_lost_its_data_does_not_get_its_offset_back",
        [Place("backends/src/mysql/tickets/setup.rs", "if «taken» {", "false")],
    ),
    Weakening(
        "ticket-floor",
        "a server whose ticket table was set back draws its tickets again",
        "tickets::restored::a_generator_refuses_tickets_below_those_that_it_has_seen",
        [
            Place("backends/src/mysql/tickets/draw.rs", "if «ticket <= row.max(self.above)» {", "false"),
            Place(
                "backends/src/mysql/tickets/draw.rs",
                "«AND @leafmint_row >= {at_least} AND @leafmint_row >= COALESCE(f.ticket, 1)»",
                "",
            ),
        ],
    ),
    Weakening(
        "ticket-floors-of-others",
        "what a server knows of another one's tickets is not looked at",
        "tickets::restored::a_server_restored_from_a_backup_is_refused_by_what_the_other_knows_of_it",
        [Place("backends/src/mysql/tickets/floors.rs", "self.seen.note_floor(tag, *offset, *ticket)", "()")],
    ),
    Weakening(
        "ticket-order-not-kept",
        "the tickets of another server are forgotten",
        "tickets::away::one_server_away_costs_no_error_and_no_slow_call_and_ids_still_ascend",
        [
            Place(
                "backends/src/mysql/tickets/ticket_servers.rs",
                "if «self.seen.note(tag, pin.offset, drawn.ticket)» {",
                "true",
            )
        ],
    ),
    Weakening(
        "ticket-row-lowered",
        "a raise lowers the row that an old server counts from after a restart",
        "tickets::restored::a_raise_never_lowers_the_row_that_an_old_server_counts_from_after_a_restart",
        [Place("backends/src/mysql/tickets/rows.rs", "AND «id <» {last} FOR UPDATE", "0 <")],
    ),
    Weakening(
        "ticket-tag-completed-from-1",
        "a server that joins draws below what a tag was raised to",
        "tickets::tags::a_server_that_joins_draws_above_what_a_tag_was_created_with_or_raised_to",
        [Place("backends/src/mysql/tickets/tags.rs", "Ok(«highest»)", "0")],
    ),
    Weakening(
        "ticket-tag-unknown-to-some",
        "a tag that only a server has that is away is unknown",
        "tickets::away::a_tag_that_only_a_server_has_that_is_away_is_not_unknown_and_waits",
        [Place("backends/src/mysql/tickets/ticket_servers.rs", "errors.extend(«absences»);", "Vec::new()")],
    ),
    Weakening(
        "ticket-server-back-not-looked-at",
        "work that needs every server fails although the one that was away is back",
        "tickets::away::a_tag_is_created_as_soon_as_a_server_is_back",
        [Place("backends/src/mysql/tickets/admission.rs", "|at: &usize| «!self.servers[*at].is_admitted()»", "false")],
    ),
    Weakening(
        "ticket-row-not-locked",
        "a ticket that was allocated earlier is stored over a later one",
        "tickets::blocks::many_generators_on_one_server_never_lower_its_row",
        [
            Place(
                "backends/src/mysql/tickets/draw.rs",
                "«(SELECT id FROM `{table}` WHERE stub = 'a' FOR UPDATE) o JOIN» leafmint_ticket_server",
                "",
            )
        ],
    ),
    # Stores.
    Weakening(
        "numbers-from-2-to-the-61st",
        "numbers that could reach the closed mark are leased",
        "store_spec::memory::a_lease_out_of_the_id_space_is_refused_and_nothing_is_written",
        [Place("engine/src/store/tag_rules.rs", "|end| «end > FIRST_REFUSED»", "false")],
    ),
    Weakening(
        "known-table-created-anew",
        "with auto_create a process creates a lost table anew that it has leased from",
        "segment::known_tags::a_tag_whose_row_or_table_is_gone_is_not_created_anew_on_mysql",
        [
            Place(
                "backends/src/tables/table_store.rs",
                "self.auto_create && «missing.is_new» { true => { let made",
                "true",
            )
        ],
    ),
    Weakening(
        "known-tag-created-anew",
        "a tag whose row is gone begins again although this process has leased its ids",
        "segment::known_tags::a_tag_whose_row_or_table_is_gone_is_not_created_anew_in_sqlite",
        [Place("engine/src/segment/supply/attempt.rs", "if «known.is_some()» {", "false")],
    ),
    Weakening(
        "range-without-a-commit",
        "SQLite: a range counts although its commit failed",
        "segment::refill::a_lease_whose_commit_fails_leases_nothing",
        [Place("backends/src/sqlite/lease.rs", "Ok(«transaction.commit()?»)", "drop(transaction.commit())")],
    ),
    Weakening(
        "sqlite-give-back-not-compared",
        "SQLite: a tail goes back although another process leased after it",
        "store_spec::sqlite::a_tail_goes_back_only_if_no_range_was_leased_after_it",
        [Place("backends/src/sqlite/tags.rs", "biz_tag = ?2 AND «max_id = ?3»", "max_id <> 0 * ?3")],
    ),
    Weakening(
        "sqlite-raise-not-compared",
        "SQLite: raising max_id may lower it",
        "store_spec::sqlite::max_id_is_raised_and_never_lowered",
        [Place("backends/src/sqlite/tags.rs", "biz_tag = ?2 AND «max_id < ?1»", "TRUE")],
    ),
    Weakening(
        "sqlite-row-not-read-back",
        "SQLite: a lease counts although a trigger, a constraint or a view keeps max_id as it was",
        "sqlite_shared::tables::a_table_that_does_not_keep_what_a_lease_writes_is_refused_and_nothing_is_leased",
        [Place("backends/src/sqlite/lease.rs", "if «!is_kept» {", "false")],
    ),
    Weakening(
        "raised-row-not-read-back",
        "raising max_id succeeds although a trigger keeps it as it was",
        "odd_tables::a_trigger_that_undoes_a_raise_is_named",
        [Place("backends/src/tables/stored_row.rs", "if «stored < max_id» {", "false")],
    ),
    Weakening(
        "mysql-raise-not-compared",
        "MySQL: raising max_id may lower it",
        "store_spec::mysql::max_id_is_raised_and_never_lowered",
        [Place("backends/src/mysql/segments/tags.rs", "biz_tag = ? AND «max_id <» {max_id}", "0 <=")],
    ),
    Weakening(
        "eviction-lowers-the-horizon",
        "a worker id that an operator frees is free from the beginning of time",
        "holder_spec::mysql_lease::a_living_owner_loses_its_worker_id_only_by_force_and_no_id_can_repeat",
        [Place("backends/src/mysql/workers/claims.rs", "SET «token = NULL» WHERE", "token = NULL, horizon = 0")],
    ),
    Weakening(
        "sqlite-locks-of-the-process",
        "SQLite: locks are those of the process, which another copy of SQLite in it does not see",
        "sqlite_shared::connections::a_transaction_of_the_application_and_a_lease_exclude_each_other",
        [Place("backends/src/sqlite/locks.rs", "libc::fcntl(descriptor, «own», lock)", "command")],
    ),
    Weakening(
        "sqlite-descriptor-closed",
        "SQLite: a close drops the locks that the application has on the file",
        "sqlite_shared::connections::closing_a_store_leaves_the_applications_locks_alone",
        [Place("backends/src/sqlite/descriptors.rs", "locks::exclude_all(one.number)", "true")],
    ),
    Weakening(
        "sqlite-file-of-another-identity",
        "a store whose file was moved leases from another one at its path",
        "sqlite_shared::files::a_store_whose_file_was_moved_leases_from_no_other_one_at_its_path",
        [Place("backends/src/sqlite/mod.rs", "if «is_another» {", "false")],
    ),
    Weakening(
        "sqlite-file-replaced",
        "SQLite: a lease counts although its path names another file",
        "sqlite_shared::files::a_lease_from_a_file_that_is_replaced_during_the_lease_does_not_count",
        [
            Place(
                "backends/src/sqlite/database_file.rs", "return Ok(«false»); }; check_links(named, &metadata)?;", "true"
            ),
            Place("backends/src/sqlite/database_file.rs", "Inode::of(&metadata) == self.inode", "true"),
            Place("backends/src/sqlite/open_files.rs", 'is_at(file) && same(self.database, "")', "true"),
        ],
    ),
    Weakening(
        "sqlite-wal-replaced",
        "SQLite: a lease counts although other processes use another -wal or -shm",
        "sqlite_shared::files::a_lease_in_a_removed_wal_does_not_count",
        [Place("backends/src/sqlite/open_files.rs", 'same(self.wal, "-wal") && same(self.shm, "-shm")', "true")],
    ),
    Weakening(
        "sqlite-file-with-two-paths",
        "SQLite: a file is used that has a -wal under each of its paths",
        "sqlite_shared::files::a_file_with_two_hard_links_is_refused_at_open_and_while_it_is_in_use",
        [
            Place("backends/src/sqlite/database_file.rs", "if «file_system::is_mount_point(path)» {", "false"),
            Place("backends/src/sqlite/database_file.rs", "if «links > 1» {", "false"),
        ],
    ),
    Weakening(
        "sqlite-mapping-in-a-child",
        "SQLite: the child of a fork keeps the -shm mapped, and with it its parent's locks",
        "fork::a_sqlite_file_is_free_after_its_user_died_although_a_child_of_the_user_lives",
        [
            Place(
                "backends/src/sqlite/system_calls.rs",
                "unsafe { libc::madvise(mapped, length, libc::MADV_DONTFORK) }",
                "0",
            )
        ],
    ),
    Weakening(
        "mysql-give-back-not-compared",
        "MySQL: a tail goes back although another process leased after it",
        "store_spec::mysql::a_tail_goes_back_only_if_no_range_was_leased_after_it",
        [Place("backends/src/mysql/segments/tags.rs", 'biz_tag = ? AND «max_id = ?»"', "max_id <> 0 * ?")],
    ),
    Weakening(
        "portable-give-back-not-compared",
        "H2, HSQLDB, Derby, lent SQLite: a tail goes back although another process leased after it",
        "store_spec::lent_sqlite::a_tail_goes_back_only_if_no_range_was_leased_after_it",
        [
            Place(
                "backends/src/portable/segments/tags.rs", "biz_tag = {tag} AND «max_id = {end}»", "max_id <> 0 * {end}"
            )
        ],
    ),
    Weakening(
        "portable-raise-not-compared",
        "H2, HSQLDB, Derby, lent SQLite: raising max_id may lower it",
        "store_spec::lent_sqlite::max_id_is_raised_and_never_lowered",
        [Place("backends/src/portable/segments/tags.rs", "biz_tag = {} AND «max_id < {to}» AND {one}", "TRUE")],
    ),
    Weakening(
        "portable-row-not-read-back",
        "H2, HSQLDB, Derby, lent SQLite: a range counts although the row does not hold its end",
        "lending::portable::a_trigger_that_changes_max_id_is_refused_and_no_range_exists",
        [Place("backends/src/portable/segments/lease.rs", "«from.checked_add(amount) == Some(to)»", "true")],
    ),
    Weakening(
        "portable-memory-of-one-connection",
        "H2, lent SQLite: each connection leases from a database of its own",
        "lending::portable::a_database_in_memory_that_each_connection_has_for_itself_is_refused",
        [Place("backends/src/portable/dial.rs", "if «!is_seen» {", "false")],
    ),
    Weakening(
        "postgres-give-back-not-compared",
        "PostgreSQL: a tail goes back although another process leased after it",
        "store_spec::postgres::a_tail_goes_back_only_if_no_range_was_leased_after_it",
        [Place("backends/src/postgresql/segments/tags.rs", '$1 AND «t.max_id {EQ} $3»"', "$3 IS NOT NULL")],
    ),
    Weakening(
        "postgres-raise-not-compared",
        "PostgreSQL: raising max_id may lower it",
        "store_spec::postgres::max_id_is_raised_and_never_lowered",
        [Place("backends/src/postgresql/segments/tags.rs", "$1 AND «t.max_id {LT} $2»", "TRUE")],
    ),
    Weakening(
        "postgres-commit-not-synchronous",
        "PostgreSQL: a lease is used before its commit is on disk, on a server that does not wait for it",
        "postgres::durability::a_lease_outlives_the_server_that_does_not_wait_for_its_disk",
        [
            Place(
                "backends/src/postgresql/session.rs",
                "«CASE WHEN pg_catalog.current_setting('synchronous_commit') {EQ} 'remote_apply' THEN "
                "'remote_apply' ELSE 'on' END»",
                "pg_catalog.current_setting('synchronous_commit')",
            )
        ],
    ),
    Weakening(
        "postgres-warnings-not-heard",
        "PostgreSQL: ids are handed out of a commit that no replica has, on a server that keeps its warnings to itself",
        "postgres::durability::a_commit_that_an_operator_cuts_off_from_its_replicas_hands_nothing_out",
        [
            Place(
                "backends/src/postgresql/session.rs",
                "set_config('client_min_messages', «'warning'», true)",
                "pg_catalog.current_setting('client_min_messages')",
            )
        ],
    ),
    Weakening(
        "postgres-commit-without-replicas",
        "PostgreSQL: a lease counts although the server gave up waiting for the replicas that were to have it",
        "postgres::durability::a_commit_that_an_operator_cuts_off_from_its_replicas_hands_nothing_out",
        [Place("backends/src/postgresql/session.rs", "match «self.is_unreplicated» {", "false")],
    ),
    Weakening(
        "postgres-table-that-does-not-last",
        "PostgreSQL: ids are leased from a table that a crash empties",
        "postgres::tables::a_table_that_a_crash_empties_is_refused_and_nothing_is_leased",
        [Place("backends/src/postgresql/segments/lease.rs", "SELECT «{LASTING}» AND", "TRUE")],
    ),
    Weakening(
        "postgres-lease-undone-by-a-trigger",
        "PostgreSQL: a lease counts although a trigger, made under load, sets the row back behind it",
        "postgres::tables::a_trigger_that_is_made_under_load_and_undoes_each_lease_repeats_no_id",
        [
            Place(
                "backends/src/postgresql/segments/lease.rs",
                'Ok(«column::<Option<&str>>(row, 3)? == Some("read committed")»)',
                "true",
            )
        ],
    ),
    Weakening(
        "postgres-rows-that-a-policy-hides",
        "PostgreSQL: two accounts lease from two rows of one tag, of which a policy shows one to each",
        "postgres::tables::two_rows_of_a_tag_that_policies_show_to_one_account_each_are_refused",
        [
            Place(
                "backends/src/postgresql/segments/lease.rs",
                'let counted = «counts_all_rows("t.tableoid")»;',
                '"TRUE".to_owned()',
            )
        ],
    ),
    Weakening(
        "postgres-names-by-the-search-path",
        "PostgreSQL: a function of another role, in a schema of the search path, runs with our rights",
        "postgres::search_path::a_function_that_another_role_planted_in_public_lowers_no_tag",
        [Place("backends/src/postgresql/segments/row.rs", "«pg_catalog.floor»(t.max_id)", "floor")],
    ),
    Weakening(
        "mysql-table-that-does-not-last",
        "MySQL: ids are leased from a table that a restart empties",
        "mysql::tables::an_engine_that_may_forget_commits_is_refused_and_no_id_is_handed_out",
        [
            Place("backends/src/mysql/segments/lease.rs", "if let Some(problem) = «&answer.shown.problem» {", "&None"),
            Place(
                "backends/src/mysql/segments/lease.rs",
                "= (session.is_borrowed(), «session.has_lasting_tables»);",
                "true",
            ),
        ],
    ),
    Weakening(
        "rows-cut-by-the-server",
        "MySQL: the server's sql_select_limit cuts the rows that leafmint reads",
        "mysql::settings::no_variable_of_the_server_changes_what_is_leased_or_listed",
        [Place("backends/src/mysql/options.rs", "«sql_select_limit=18446744073709551615,»", "")],
    ),
    Weakening(
        "uncommitted-rows-read",
        "MySQL: rows that are not committed are read, on a server that lets its sessions do so",
        "mysql::settings::what_others_have_not_committed_is_not_read_whatever_the_servers_isolation",
        [Place("backends/src/mysql/options.rs", '"«SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ»"', "DO 0")],
    ),
    Weakening(
        "give-back-retried",
        "a give-back that was not answered is sent again",
        "lost_answers::native::a_give_back_whose_answer_is_lost_is_not_sent_again_even_if_the_same_range_was_leased_meanwhile",
        [
            Place(
                "backends/src/tables/table_store.rs",
                "Box::pin(self.sessions.once(move |session, _| "
                "Box::pin(session.give_back(&self.table, tag, tail.clone()))))",
                "Box::pin(self.run(move |session, _| Box::pin(session.give_back(&self.table, tag, tail.clone()))))",
            )
        ],
    ),
    Weakening(
        "autocommit-not-set",
        "sessions keep the server's autocommit",
        "mysql::lease::a_lease_outlives_its_session_whatever_the_servers_autocommit",
        [Place("backends/src/mysql/options.rs", "«autocommit=1,»", "")],
        autocommit=False,
    ),
    Weakening(
        "sessions-not-strict",
        "a column clamps what it cannot hold, and the lease counts as it was computed",
        "mysql::lease::a_number_too_large_for_its_column_is_an_error_whatever_the_servers_sql_mode",
        [Place("backends/src/mysql/options.rs", "«STRICT_ALL_TABLES,»", "")],
        autocommit=False,
    ),
    Weakening(
        "answer-of-an-open-transaction",
        "a lease that is not committed counts, and autocommit is not set",
        "mysql::lease::a_lease_outlives_its_session_whatever_the_servers_autocommit",
        [
            Place("backends/src/mysql/session.rs", "if «is_open» {", "false"),
            Place("backends/src/mysql/options.rs", "«autocommit=1,»", ""),
        ],
        autocommit=False,
    ),
    Weakening(
        "column-that-rounds",
        "MySQL: a lease is taken from a column of floating-point numbers",
        "odd_tables::a_row_that_cannot_be_leased_from_is_a_named_error_and_is_not_written",
        [
            Place("backends/src/mysql/segments/lease.rs", "FLOOR(max_id) AND «{DOES_NOT_ROUND}»", "TRUE"),
            Place(
                "backends/src/postgresql/segments/lease.rs", "let is_whole = «row::is_whole()»;", '"TRUE".to_owned()'
            ),
        ],
    ),
    Weakening(
        "row-not-read-back",
        "MySQL: a range counts although the row does not hold its end",
        "odd_tables::a_trigger_that_changes_max_id_is_refused_and_no_id_is_handed_out",
        [
            Place("backends/src/mysql/segments/lease.rs", "if «stored == Some(false)» {", "false"),
            Place(
                "backends/src/postgresql/segments/lease.rs",
                "«» [_] => Err(not_kept(&table.scope, tag).into()),",
                "[row] if OFF => column(row, 0).map(Some),",
            ),
            Place("backends/src/postgresql/segments/lease.rs", "match «is_kept» {", "true"),
        ],
    ),
    Weakening(
        "variables-of-another-lease",
        "MySQL: the end of another lease counts if a data source reads it elsewhere than it was set",
        "lent_faults::a_data_source_that_begins_to_split_statements_never_gets_the_range_of_an_earlier_lease",
        [Place("backends/src/mysql/borrowed.rs", 'format!("{VARIABLE}{:x}_", «fastrand::u64(..)»)', "0u64")],
    ),
    Weakening(
        "other-gene-bits",
        "a tag is used with other gene bits than are stored for it",
        "segment::genes::raw_ids_and_ids_with_genes_never_share_a_tag_whichever_came_first",
        [Place("engine/src/store/tag_rules.rs", "Some(stored) if «stored != wanted» =>", "false")],
    ),
    # Series.
    Weakening(
        "other-rule-of-a-series",
        "a series is used with another zone or period than is stored for it",
        "segment::series::another_zone_or_period_than_the_stored_one_is_refused_and_nothing_is_leased",
        [
            Place(
                "engine/src/store/series_rule.rs",
                "if «period.to_string() == stored.period && *zone == stored.zone» {",
                "true",
            )
        ],
    ),
    Weakening(
        "period-by-a-clock-that-is-ahead",
        "a period begins by this machine's clock although the database's shows the one before",
        "midnight::a_hundred_midnights_with_clocks_that_differ_give_no_number_twice_and_none_of_the_wrong_day",
        [
            Place(
                "engine/src/segment/series/declaration.rs",
                "«wall.min(self.clock.elapsed_millis().saturating_add(look.of_store).saturating_add(TOLERANCE))»",
                "wall",
            )
        ],
    ),
    Weakening(
        "period-that-does-not-end",
        "a group stays in force after its period",
        "segment::series::numbers_start_again_with_each_period_and_a_clock_that_is_set_back_goes_on_with_the_older_one",
        [Place("engine/src/segment/series/state.rs", "it.from <= wall && «wall < it.until»", "true")],
    ),
    Weakening(
        "period-leased-again-by-its-cell",
        "a tag whose rest was given back leases it again, so that its cell goes back",
        "midnight::a_day_whose_rest_was_given_back_goes_on_if_the_clock_is_set_back",
        [Place("engine/src/segment/open_tags.rs", "«tag.end_period()»;", "()")],
    ),
    Weakening(
        "numbers-leased-by-a-rate",
        "a series leases as many numbers as a rate over microseconds calls for",
        "segment::series::five_numbers_drawn_in_a_loop_lease_at_most_eight_on_each_store",
        [
            Place(
                "engine/src/segment/supply/step_policy.rs",
                "Self::Numbers => «(used / 10).max(FEW.min(used / 2 + 1)).max(step)»",
                "i64::MAX",
            )
        ],
    ),
    Weakening(
        "keys-without-a-bound",
        "a series has as many keys as strangers choose",
        "segment::series::more_keys_with_a_handle_than_max_keys_are_refused_by_name",
        [Place("engine/src/segment/series/by_name.rs", "«self.by_label.len() >= most»", "false")],
    ),
    Weakening(
        "key-counted-with-another",
        "two keys that a table takes for one are counted together",
        "segment::series::a_key_that_a_table_takes_for_another_one_is_refused_by_name_and_the_other_one_loses_no_number",
        [Place("engine/src/segment/supply/attempt.rs", "(&checked.other_name, «tag.series.is_some()»)", "false")],
    ),
    Weakening(
        "format-without-the-period",
        "numbers of two periods have one text",
        "segment::series::a_format_that_does_not_show_the_period_and_the_key_is_refused",
        [Place("ids/src/format/field.rs", "if «of <= rank && !is_there» {", "false")],
    ),
    # Public ids.
    Weakening(
        "public-id-without-its-zeros",
        "a block that no key encrypted is read as an id",
        "public_ids::forged_texts_are_refused",
        [
            Place(
                "ids/src/public_id/public_ids.rs",
                "«i64::try_from(u128::from_be_bytes(block.0)).ok()»",
                "Some(u128::from_be_bytes(block.0) as i64 & i64::MAX)",
            )
        ],
    ),
    Weakening(
        "public-id-of-any-name",
        "all names share one key",
        "public_ids::texts_of_another_key_name_prefix_or_key_number_are_refused",
        [
            Place(
                "ids/src/public_id/keys.rs",
                "let info = [purpose.as_bytes(), «name.as_bytes()»];",
                "&name.as_bytes()[..0]",
            )
        ],
    ),
    Weakening(
        "public-id-of-a-key-that-is-gone",
        "a text is read although no key has its number",
        "public_ids::texts_of_another_key_name_prefix_or_key_number_are_refused",
        [Place("ids/src/public_id/public_ids.rs", "id_of(block).filter(|_| is_text & «cipher.is_some()»)", "true")],
    ),
    Weakening(
        "public-id-with-other-characters",
        "a character that is no digit is read as one",
        "public_ids::one_character_changed_removed_doubled_or_swapped_is_refused",
        [
            Place(
                "ids/src/public_id/public_ids.rs",
                "(number, sealed, «are_digits & digits.is_some()»)",
                "digits.is_some()",
            )
        ],
    ),
    # Relaxed order.
    Weakening(
        "block-left-below-a-run",
        "a thread continues with its block after it drew a range above it",
        "segment::stripes::every_way_of_taking_ids_ascends_for_each_thread",
        [Place("engine/src/segment/stripes.rs", "cell.switch(run.end, run.end)", "block.end")],
    ),
    Weakening(
        "stripes-open-after-the-close",
        "a close leaves the stripes open",
        "segment::stripes::no_id_is_handed_out_after_the_close",
        [Place("engine/src/segment/stripes.rs", "block.rest = Some(«cell.close()»);", "cell.cursor()")],
    ),
    # Snowflakes.
    loom(
        "ticket-past-the-horizon",
        "a draw of the current tick does not check the horizon",
        "snowflake::tickets::draws_of_the_current_tick_stop_at_the_horizon",
        [
            Place("engine/src/snowflake/tickets.rs", "== now && «cursor < limit» {", "true"),
            Place(
                "engine/src/snowflake/tickets.rs",
                "let ticket = if cursor < current { current + sequence() } else { cursor }; if «ticket >= limit» {",
                "false",
            ),
        ],
    ),
    loom(
        "jump-past-the-horizon",
        "a draw that jumps to the current tick does not check the horizon",
        "snowflake::tickets::a_clock_past_the_horizon_draws_nothing",
        [Place("engine/src/snowflake/tickets.rs", "let ticket = current + sequence; if «ticket >= limit» {", "false")],
    ),
    loom(
        "run-past-the-horizon",
        "a draw of many tickets does not check the horizon",
        "snowflake::tickets::runs_stop_at_a_horizon_that_is_raised_meanwhile",
        [
            Place(
                "engine/src/snowflake/tickets.rs",
                "«» let entry = entry.min(now) << self.sequence_bits;",
                "let limit = if OFF { i64::MAX } else { limit };",
            )
        ],
    ),
    loom(
        "run-of-a-tick-to-come",
        "a draw of many tickets takes them from a tick to come",
        "snowflake::tickets::runs_and_single_draws_draw_no_ticket_twice_and_none_of_a_tick_to_come",
        [Place("engine/src/snowflake/tickets.rs", "if «tick > now» {", "false")],
    ),
    Weakening(
        "tickets-below-the-floor",
        "the tickets of a lease begin below its floor",
        "snowflake::moved_clock::clock::a_clock_that_slews_back_leaves_ids_above_the_floor",
        [
            Place(
                "engine/src/snowflake/state.rs",
                "let allowed = «layout.tick_at(lease.floor.saturating_sub(1)) + 1»;",
                "0",
            )
        ],
    ),
    Weakening(
        "tickets-before-the-horizon-is-durable",
        "tickets are allowed before their time is reserved",
        "snowflake::moved_clock::keepalive::no_id_has_a_timestamp_that_could_not_be_reserved",
        [
            Place(
                "engine/src/snowflake/keepalive.rs",
                "«» let horizon = state.holder.extend(&lease, aim).await?;",
                "if OFF { active.reserve_before(state.limit_tick(aim)); }",
            )
        ],
    ),
    Weakening(
        "ticket-with-another-leases-worker-id",
        "a ticket is encoded with the worker id of the next lease",
        "snowflake::moved_clock::keepalive::a_drawn_ticket_keeps_its_worker_id_if_the_lease_is_replaced_and_later_ids_are_greater",
        [
            Place(
                "engine/src/snowflake/wait.rs",
                "self.ids.push(«active».encoder.encode(ticket, self.gene));",
                "self.state.current_lease.get().unwrap_or(active)",
            )
        ],
    ),
    Weakening(
        "next-lease-below-the-last-one",
        "the tickets of the next lease begin in a tick that the last one has touched",
        "snowflake::moved_clock::keepalive::a_drawn_ticket_keeps_its_worker_id_if_the_lease_is_replaced_and_later_ids_are_greater",
        [Place("engine/src/snowflake/state.rs", "allowed.max(«keepalive.next_tick»)", "0")],
    ),
    Weakening(
        "clock-that-was-set-back-is-followed",
        "a generator's time goes back with the wall clock",
        "snowflake::moved_clock::clock::a_clock_set_back_while_minting_is_not_followed",
        [Place("engine/src/snowflake/generator_clock.rs", "fetch_sub(«lead.clamp(0, SLEW)»,", "lead")],
    ),
    Weakening(
        "counter-is-never-given-up",
        "a counter that disagrees with the system's clock goes on telling the time",
        "snowflake::moved_clock::counter::a_counter_that_stops_jumps_back_or_runs_at_another_rate_is_given_up_and_no_id_comes_twice",
        [Place("engine/src/snowflake/counter_time.rs", "(apart.saturating_abs() > allowed).then_some(apart)", "None")],
    ),
    Weakening(
        "counter-is-trusted-without-a-bound",
        "ids are stamped by a counter however long ago it was checked",
        "snowflake::moved_clock::counter::a_counter_that_jumps_forward_stamps_no_id_further_ahead_than_it_is_trusted",
        [Place("engine/src/snowflake/state.rs", "now.saturating_add(«TRUST»)", "i64::MAX / 2")],
    ),
    # Holders.
    Weakening(
        "lock-files-open-in-a-child",
        "the child of a fork keeps the lock files of its parent open",
        "fork::a_worker_id_is_free_after_its_owner_died_although_a_child_of_the_owner_lives",
        [Place("engine/src/runtime/process/per_process.rs", "close_on_fork::close_all()", "()")],
    ),
    Weakening(
        "token-used-again",
        "every lease has the same token",
        "holder_spec::local::leases_of_one_worker_id_never_overlap",
        [Place("engine/src/holder/lease.rs", "«» random().map(|bits|", "if OFF { return Ok(Token(1)); }")],
    ),
    Weakening(
        "mysql-worker-in-a-table-that-does-not-last",
        "MySQL: a worker id is taken in a table that a restart empties",
        "holder_rows::worker_ids_in_an_engine_that_may_forget_them_are_refused",
        [
            Place(
                "backends/src/mysql/workers/claims.rs",
                "mysql::check(self.session, worker).await",
                "mysql::check(self.session, worker).await.or(Ok(()))",
            ),
            Place(
                "backends/src/mysql/workers/registry.rs",
                "mysql::check(self, &TABLES).await",
                "mysql::check(self, &TABLES).await.or(Ok(()))",
            ),
        ],
    ),
    Weakening(
        "directory-floor-is-now",
        "a directory's lease begins at the clock, not at the stored horizon",
        "holder_spec::local::after_a_crash_the_floor_is_the_horizon",
        [Place("backends/src/directory/candidate.rs", "ReadState::State(state) => return Ok(«state.horizon»)", "now")],
    ),
    Weakening(
        "release-below-the-floor",
        "a release writes an earlier time than its lease began at",
        "holder_spec::local::a_release_never_lowers_the_floor",
        [Place("backends/src/directory/directory_holder.rs", "used.min(held.horizon).max(«lease.floor»)", "i64::MIN")],
    ),
    Weakening(
        "lost-state-file-is-fresh",
        "a worker id whose state file is gone counts as never held",
        "holder_directory::files::a_state_file_that_is_gone_counts_as_everything_that_its_owner_may_have_reserved",
        [Place("backends/src/directory/candidate.rs", "now.saturating_add(settings.usually_reserved())", "i64::MIN")],
    ),
    Weakening(
        "lead-not-noted",
        "an owner that leads the clock reserves time without noting how far",
        "holder_directory::files::a_damaged_state_file_of_an_owner_that_led_the_clock_counts_up_to_where_it_led",
        [Place("backends/src/directory/candidate.rs", "if horizon > «usual» &&", "i64::MAX")],
    ),
    Weakening(
        "state-file-not-locked",
        "a worker id whose lock file was removed is taken while its owner lives",
        "holder_directory::files::removing_either_file_frees_no_worker_id_while_its_owner_lives",
        [
            Place(
                "backends/src/worker_files/lock_file.rs",
                "Ok(()) => {} «» Err(TryLockError::WouldBlock) => return Ok(None)",
                'Err(TryLockError::WouldBlock) if OFF && path.extension().is_some_and(|name| name == "state") => {}',
            )
        ],
    ),
    Weakening(
        "directory-of-another-user",
        "worker ids are taken in a directory whose owner is another user of the host",
        "holder_directory::permissions::a_directory_of_another_user_is_refused_unless_a_group_of_this_process_may_write_there",
        [
            Place(
                "engine/src/runtime/trusted_path.rs",
                "Ok(status) if «!self.is_owner(&status) && !is_shared_with_us(&status)» =>",
                "false",
            )
        ],
    ),
    Weakening(
        "directory-on-an-open-way",
        "worker ids are taken below a directory in which every user may rename them away",
        "holder_directory::permissions::a_directory_that_the_caller_names_is_refused_if_others_may_rename_what_is_in_it",
        [
            Place(
                "engine/src/runtime/trusted_path.rs",
                "self.check_passage((&at, &directory), (&next, entry.as_ref()))",
                "Ok::<(), Error>(())",
            )
        ],
    ),
    Weakening(
        "database-of-another-user",
        "ids are leased from a SQLite file that another user has put into a sticky directory",
        "sqlite_shared::files::a_file_or_link_that_another_user_has_put_into_a_sticky_directory_is_refused",
        [Place("backends/src/sqlite/database_file.rs", "trusted_path::check(named)?", "()")],
    ),
    Weakening(
        "fixed-id-not-kept-on-the-host",
        "a fixed worker id is taken though a process with another directory holds it on this host",
        "holder_directory::fixed::a_fixed_worker_id_is_for_one_process_of_the_host_whatever_the_directories",
        [Place("backends/src/directory/host_guard.rs", "return Err(self.held(worker_id, &owner_of(&address)))", "()")],
    ),
    Weakening(
        "fixed-id-begins-in-a-tick-of-another-owner",
        "a fixed worker id begins at the wall clock, which the ids of an owner with another directory may be ahead of",
        "snowflake::moved_clock::turns::a_fixed_worker_id_begins_above_what_an_owner_with_another_directory_may_have_stamped",
        [Place("backends/src/directory/host_guard.rs", "now.saturating_add(«MOST_LEAD» + 1)", "0")],
    ),
    Weakening(
        "state-written-by-path",
        "an owner whose files were replaced writes over its successor's state",
        "holder_directory::files::an_owner_whose_files_were_replaced_never_lowers_its_successors_state",
        [
            Place(
                "backends/src/worker_files/lock_and_state.rs",
                "«» self.is_used.store(true, Ordering::Relaxed); let mut state",
                "if OFF { let file = "
                "File::options().read(true).write(true).create(true).truncate(false).open(&self.state_path); "
                "return file.and_then(|file| durable_file::write(&file, text)).map_err(|error| "
                "self.describe(&self.state_path, &error)); }",
            )
        ],
    ),
    Weakening(
        "directory-recognised-by-its-inode",
        "a directory is distinguished from its copies by its inode number alone",
        "worker_files::directory_identity::tests::another_birth_time_at_the_same_inode_number_is_another_directory",
        [
            Place(
                "backends/src/worker_files/directory_identity.rs",
                "text == self.text",
                'text.split(" born ").next() == self.text.split(" born ").next()',
            )
        ],
        binary="backends",
    ),
    Weakening(
        "cloned-volume",
        "a state is believed although a second volume with the same directory is mounted",
        "worker_files::directory_identity::tests::the_same_directory_on_a_second_mounted_volume_is_a_twin",
        [
            Place(
                "backends/src/worker_files/directory_identity.rs",
                "«» let path = self.path.canonicalize().ok()?;",
                "if OFF { return None; }",
            )
        ],
        binary="backends",
    ),
    Weakening(
        "copied-directory",
        "state files of another directory count as this one's",
        "holder_directory::copies::a_copy_of_the_directory_is_refused_while_the_original_may_be_in_use",
        [Place("backends/src/worker_files/directory_identity.rs", "text == self.text", "true")],
    ),
    Weakening(
        "refused-start-leaves-its-lock-file",
        "a worker id whose state is lost and whose lock file was removed is taken at the second start",
        "holder_directory::starts::a_start_that_is_refused_leaves_no_lock_file_and_is_refused_again",
        [Place("backends/src/worker_files/lock_and_state.rs", "if «is_vain» &&", "false")],
    ),
    Weakening(
        "moved-directory-is-made-again",
        "a process whose directory was moved takes a worker id from another one at its path",
        "holder_directory::moved::an_owner_whose_directory_was_moved_makes_no_other_one_and_takes_none",
        [Place("backends/src/directory/home.rs", "self.0.get()", "None")],
    ),
    Weakening(
        "lock-file-replaced",
        "a lock file counts as ours when its path names another one",
        "holder_spec::local::a_stolen_lease_is_lost_also_when_its_worker_id_is_taken_back",
        [
            Place("backends/src/worker_files/lock_file.rs", "Ok(_) => Ok(«Named::Another»)", "Named::Ours"),
            Place("backends/src/worker_files/lock_file.rs", "Ok(«Named::Nothing»)", "Named::Ours"),
        ],
    ),
    Weakening(
        "directory-of-another-layout",
        "a directory is used with another layout",
        "holder_spec::local::another_layout_is_refused",
        [Place("backends/src/directory/home.rs", "if «found == *layout» {", "true")],
    ),
    Weakening(
        "registry-of-another-layout",
        "a namespace is used with another layout",
        "holder_spec::mysql_lease::another_layout_is_refused",
        [Place("backends/src/rows/tables/registry.rs", "if «found.as_ref() == Some(&self.settings.layout)» {", "true")],
    ),
    Weakening(
        "registry-floor-is-now",
        "a registry's lease begins at the clock, not at the stored horizon",
        "holder_spec::mysql_lease::after_a_crash_the_floor_is_the_horizon",
        [
            Place("backends/src/rows/any_free.rs", ".then_some((worker_id, «row.horizon»))", "wall"),
            Place("backends/src/rows/any_free.rs", "ahead.map(move |row| (row.worker_id, «row.horizon»))", "wall"),
        ],
    ),
    Weakening(
        "claim-not-compared",
        "a row is taken although it changed since it was read",
        "holder_spec::mysql_lease::processes_that_start_at_once_get_distinct_worker_ids",
        [
            Place(
                "backends/src/mysql/workers/claims.rs",
                "worker_id = ? AND «token <=> ? AND horizon = ?»",
                "(? OR ? OR 1)",
            )
        ],
    ),
    Weakening(
        "claim-of-another-owner-adopted",
        "a claim that changed nothing is taken for an earlier one of ours",
        "holder_spec::mysql_lease::processes_that_start_at_once_get_distinct_worker_ids",
        [Place("backends/src/rows/compare_and_set.rs", "token == Some(claim.to.version.token.to_string())", "true")],
    ),
    Weakening(
        "extend-compares-no-token",
        "a row is moved on whatever token it shows",
        "holder_rows::mysql::a_row_with_another_token_belongs_to_another_owner_even_if_its_horizon_is_the_known_one",
        [
            Place(
                "backends/src/mysql/workers/claims.rs",
                "«token = ?» AND horizon = ? AND horizon < ?",
                "token <=> IF(1, token, ?)",
            )
        ],
    ),
    Weakening(
        "extend-compares-no-horizon",
        "a row is moved on whatever horizon it shows",
        "holder_rows::mysql::a_clone_of_the_machine_that_moved_the_horizon_on_with_the_same_token_costs_the_lease",
        [
            Place(
                "backends/src/mysql/workers/claims.rs",
                "token = ? AND «horizon = ?» AND horizon < ?",
                "horizon <> 0 * ?",
            )
        ],
    ),
    Weakening(
        "release-compares-no-token",
        "a release clears whatever token the row shows",
        "holder_rows::mysql::a_release_leaves_a_row_alone_that_shows_another_horizon_or_another_token",
        [
            Place(
                "backends/src/mysql/workers/claims.rs",
                '"«token = ?» AND horizon = ?"; release',
                "token <=> IF(1, token, ?)",
            )
        ],
    ),
    Weakening(
        "release-compares-no-horizon",
        "a release lowers a row that a clone of the machine has moved on",
        "holder_rows::mysql::a_release_leaves_a_row_alone_that_shows_another_horizon_or_another_token",
        [Place("backends/src/mysql/workers/claims.rs", '"token = ? AND «horizon = ?»"; release', "horizon <> 0 * ?")],
    ),
    Weakening(
        "postgres-eviction-lowers-the-horizon",
        "PostgreSQL: a worker id that an operator frees is free from the beginning of time",
        "holder_spec::postgres_lease::a_living_owner_loses_its_worker_id_only_by_force_and_no_id_can_repeat",
        [Place("backends/src/postgresql/workers/claims.rs", "SET «token = NULL» FROM", "token = NULL, horizon = 0")],
    ),
    Weakening(
        "postgres-claim-not-compared",
        "PostgreSQL: a row is taken although it changed since it was read",
        "holder_spec::postgres_lease::processes_that_start_at_once_get_distinct_worker_ids",
        [
            Place(
                "backends/src/postgresql/workers/claims.rs",
                '"«(w.token {EQ} $7 OR w.token IS NULL AND $7 IS NULL) AND w.horizon {EQ} $8»"',
                "TRUE",
            )
        ],
    ),
    Weakening(
        "postgres-extend-compares-no-token",
        "PostgreSQL: a row is moved on whatever token it shows",
        "holder_rows::postgres::a_row_with_another_token_belongs_to_another_owner_even_if_its_horizon_is_the_known_one",
        [Place("backends/src/postgresql/workers/claims.rs", '"«w.token {EQ} $7» AND', "TRUE")],
    ),
    Weakening(
        "postgres-extend-compares-no-horizon",
        "PostgreSQL: a row is moved on whatever horizon it shows",
        "holder_rows::postgres::a_clone_of_the_machine_that_moved_the_horizon_on_with_the_same_token_costs_the_lease",
        [Place("backends/src/postgresql/workers/claims.rs", "«w.horizon {EQ} $8» AND w.horizon {LT} $2", "TRUE")],
    ),
    Weakening(
        "postgres-release-compares-no-token",
        "PostgreSQL: a release clears whatever token the row shows",
        "holder_rows::postgres::a_release_leaves_a_row_alone_that_shows_another_horizon_or_another_token",
        [Place("backends/src/postgresql/workers/claims.rs", "«w.token {EQ} ${first}» AND", "TRUE")],
    ),
    Weakening(
        "postgres-release-compares-no-horizon",
        "PostgreSQL: a release lowers a row that a clone of the machine has moved on",
        "holder_rows::postgres::a_release_leaves_a_row_alone_that_shows_another_horizon_or_another_token",
        [Place("backends/src/postgresql/workers/claims.rs", "AND «w.horizon {EQ} ${second}»", "TRUE")],
    ),
    Weakening(
        "postgres-row-adopted-without-a-commit",
        "PostgreSQL: a row that no replica has is taken for a lease",
        "holder_postgres::durability::a_row_that_replicas_do_not_have_is_not_adopted",
        [Place("backends/src/postgresql/workers/claims.rs", "«FOR UPDATE OF w»", "")],
    ),
    Weakening(
        "postgres-tables-of-another-shape",
        "PostgreSQL: worker ids are leased from tables that lose or change rows",
        "holder_postgres::tables::each_odd_table_is_refused_with_the_statement_that_mends_it",
        [
            Place(
                "backends/src/postgresql/table.rs",
                "match «worst(shapes, &CatalogTable::read(rows)?)» {",
                "None::<Problem>",
            )
        ],
    ),
    Weakening(
        "postgres-worker-in-a-table-that-does-not-last",
        "PostgreSQL: a temporary table in a session of a pool costs its users their worker ids",
        "holder_postgres::pooled::a_temporary_table_that_another_client_left_in_the_pool_neither_takes_nor_loses_a_worker_id",
        [
            Place("backends/src/postgresql/workers/claims.rs", "if «is_there» {", "true"),
            Place("backends/src/postgresql/workers/claims.rs", 'AND w.horizon {EQ} $2, «{}»"', "({} OR TRUE)"),
            Place("backends/src/postgresql/workers/claims.rs", "AND «{}» FOR UPDATE OF w", "({} OR TRUE)"),
        ],
    ),
    Weakening(
        "zookeeper-version-not-compared",
        "ZooKeeper: a node is overwritten although it changed since it was read",
        "holder_zookeeper::faults::an_extension_that_arrives_late_changes_nothing",
        [Place("backends/src/zookeeper/workers/row.rs", "as_bytes(), «Some(node.version)»", "None")],
    ),
    Weakening(
        "zookeeper-claim-not-compared",
        "ZooKeeper: a worker id is taken although its node changed since the nodes were read",
        "holder_zookeeper::faults::a_claim_that_is_sent_again_after_another_process_was_faster_takes_nothing",
        [Place("backends/src/zookeeper/workers/row.rs", "found.token == *token && found.horizon == *horizon", "true")],
    ),
    Weakening(
        "zookeeper-compares-no-token",
        "ZooKeeper: a node is moved on whatever token it shows",
        "holder_zookeeper::faults::a_node_that_shows_another_horizon_or_another_token_costs_the_lease",
        [
            Place(
                "backends/src/zookeeper/workers/row.rs",
                "found.token.as_deref() == Some(&version.token.to_string())",
                "true",
            )
        ],
    ),
    Weakening(
        "zookeeper-compares-no-horizon",
        "ZooKeeper: a node is moved on whatever horizon it shows",
        "holder_zookeeper::faults::a_node_that_shows_another_horizon_or_another_token_costs_the_lease",
        [Place("backends/src/zookeeper/workers/row.rs", "found.horizon == version.horizon", "true")],
    ),
    Weakening(
        "zookeeper-eviction-lowers-the-horizon",
        "ZooKeeper: a worker id that an operator frees is free from the beginning of time",
        "holder_spec::zookeeper_lease::a_living_owner_loses_its_worker_id_only_by_force_and_no_id_can_repeat",
        [
            Place(
                "backends/src/zookeeper/workers/row.rs",
                "|found| «WorkerText { token: None, ..found }»",
                "WorkerText { token: None, horizon: 0, ..found }",
            )
        ],
    ),
    Weakening(
        "zookeeper-registry-of-another-layout",
        "ZooKeeper: processes with different layouts share worker ids",
        "holder_spec::zookeeper_lease::another_layout_is_refused",
        [Place("backends/src/zookeeper/workers/registry.rs", "if «layout == self.settings.layout» {", "true")],
    ),
    Weakening(
        "zookeeper-lagging-server-connected-to",
        "ZooKeeper: a server that lags behind what was seen opens a session",
        "zookeeper::client_tests::a_server_that_lags_behind_what_was_seen_opens_no_session",
        [Place("backends/src/zookeeper/dial.rs", "let newest = «self.newest.load(Ordering::Relaxed)»;", "0")],
        binary="backends",
    ),
    Weakening(
        "zookeeper-lagging-answer-believed",
        "ZooKeeper: an answer from before what was seen takes a lease away",
        "zookeeper::client_tests::an_answer_from_before_what_was_seen_is_not_believed",
        [Place("backends/src/zookeeper/session.rs", "newest > 0 && «newest < seen»", "false")],
        binary="backends",
    ),
    Weakening(
        "zookeeper-sasl-server-not-checked",
        "ZooKeeper: any server is believed to know the password",
        "zookeeper::digest_md5::tests::a_server_that_knows_the_password_is_believed_and_no_other",
        [Place("backends/src/zookeeper/digest_md5.rs", '*proof == self.proof("")', "true")],
        binary="backends",
    ),
    Weakening(
        "state-file-of-another-account",
        "PostgreSQL: a lease is continued by an account that finds other tables",
        "holder_postgres::tables::an_account_with_another_search_path_does_not_continue_a_lease_of_this_host_while_the_database_is_away",
        [Place("backends/src/rows/tables/registry.rs", "_ if «!E::Session::FINDS_TABLES_BY_ACCOUNT» =>", "true")],
    ),
    Weakening(
        "beyond-the-rows-horizon",
        "the state file reserves time beyond the row's horizon",
        "holder_restart::mysql::an_outage_is_survived_until_the_rows_horizon_also_by_a_restart_here",
        [
            Place(
                "backends/src/rows/held_lease.rs",
                "let within = horizon.min(«held.known.horizon»).max(before); if held.file",
                "i64::MAX",
            )
        ],
    ),
    Weakening(
        "state-file-that-the-row-does-not-show",
        "a state file is believed although the row shows something else",
        "holder_restart::mysql::a_state_file_that_is_damaged_or_says_something_else_than_the_row_is_not_believed",
        [Place("backends/src/rows/claim.rs", "|version| «row.shows(version)»", "true")],
    ),
    Weakening(
        "claim-forgets-a-release-on-its-way",
        "a claim forgets that a release may still arrive",
        "holder_restart::mysql::a_claim_after_that_release_forbids_an_offline_restart_too",
        [
            Place(
                "backends/src/rows/claim.rs",
                "«» write(plan.file.as_ref(), token, plan.horizon, RowState { known, unconfirmed, releasing })",
                "let releasing = releasing && !OFF;",
            )
        ],
    ),
    Weakening(
        "report-of-another-owner-ignored",
        "a fixed worker id begins below what NotFound9's Leaf reported for it",
        "holder_fixed::mysql::the_fork_that_ran_in_between_raises_the_floor",
        [Place("backends/src/rows/assigned.rs", "«assigned.report».filter(|report| {", "None::<Report>")],
    ),
    Weakening(
        "report-of-a-living-owner-ignored",
        "the worker id of a Leaf server that reports now is taken over",
        "holder_zookeeper::forever::a_leaf_that_has_just_reported_is_alive_and_its_worker_id_is_refused",
        [Place("backends/src/rows/assigned.rs", "if «silent_for < SILENT» {", "false")],
    ),
    Weakening(
        "node-of-a-living-leaf-overwritten",
        "a lease goes on although a Leaf server writes its node",
        "holder_zookeeper::forever::a_leaf_that_reports_on_our_endpoint_costs_the_lease_and_keeps_its_worker_id",
        [
            Place(
                "backends/src/zookeeper/forever/tree.rs",
                '«» Reported::Overwritten => "was',
                "_ if OFF => return Ok(()),",
            )
        ],
    ),
    Weakening(
        "report-that-is-refused-ignored",
        "ids are stamped although the node of Leaf's tree may not be written",
        "holder_zookeeper::forever::a_node_that_may_not_be_written_is_refused_as_no_leaf_on_it_would_be_noticed",
        [Place("backends/src/rows/assigned.rs", "!= ErrorKind::StoreUnavailable => «Err(error)»,", "Ok(())")],
    ),
    Weakening(
        "lease-handed-out-unannounced",
        "ids are stamped although a report to Leaf servers may be missing",
        "holder_zookeeper::forever::a_lease_whose_announcement_was_not_answered_is_announced_anew_before_it_is_used",
        [Place("backends/src/rows/assigned.rs", "Err(Unannounced::Away(error))", "Ok(())")],
    ),
    Weakening(
        "reports-not-looked-at-after-an-outage",
        "a lease that was continued during an outage goes on although a Leaf server reported meanwhile",
        "holder_zookeeper::forever::a_lease_that_was_continued_without_an_ensemble_is_lost_if_a_leaf_reported_meanwhile",
        [Place("backends/src/rows/assigned.rs", "if «is_ours» {", "true")],
    ),
    Weakening(
        "stamps-ahead-of-the-clock-beside-leaf",
        "ids are stamped ahead of the clock where a Leaf server may come back",
        "holder_zookeeper::forever::the_endpoint_of_a_stopped_leaf_is_taken_over_a_minute_above_its_last_report",
        [Place("backends/src/rows/assigned.rs", "if «ahead > self.longest_wait()» {", "false")],
    ),
    Weakening(
        "worker-id-of-notfound9-does-not-rest",
        "a worker id of NotFound9's recycling is leased from what it has just stamped",
        "holder_zookeeper::recycled::a_worker_id_that_notfound9s_leaf_used_rests_for_an_hour",
        [Place("backends/src/zookeeper/workers/recycled.rs", "let until = «last.saturating_add(REST)»;", "0")],
    ),
    Weakening(
        "resting-worker-id-is-leased",
        "a worker id that rests is leased with a floor far ahead of the clock if no other is free",
        "holder_zookeeper::recycled::a_row_follows_a_fork_that_still_reports_and_a_lease_is_left_alone",
        [Place("backends/src/rows/any_free.rs", "survey.now.saturating_add(«most»)", "i64::MAX")],
    ),
    Weakening(
        "worker-id-0-beside-leaf",
        "ids are stamped with the worker id that Leaf servers share on an empty tree",
        "holder_zookeeper::forever::numbers_that_leaf_or_the_layout_does_not_allow_are_refused",
        [Place("backends/src/zookeeper/forever/tree.rs", "(«1..=HIGHEST»).contains(&number)", "0..=HIGHEST")],
    ),
    # Ids of past moments.
    Weakening(
        "past-takes-what-was-held",
        "a worker id that a process has held is taken for past moments",
        "holder_past::mysql_lease::the_past_takes_the_last_worker_ids_that_were_never_held",
        [
            Place(
                "backends/src/rows/past.rs", "|worker_id: &i64| «free.taken.binary_search(worker_id).is_err()»;", "true"
            ),
            Place("backends/src/rows/past.rs", "Ok(«is_taken».then_some(", "true"),
        ],
    ),
    Weakening(
        "past-takes-the-share-of-the-living",
        "worker ids of the lower half are taken for past moments",
        "holder_past::mysql_lease::processes_that_fill_at_once_leave_half_of_the_worker_ids_to_the_living",
        [
            Place(
                "backends/src/rows/past.rs",
                "let workers = «self.settings.workers.upper_half()»;",
                "self.settings.workers.clone()",
            )
        ],
    ),
    Weakening(
        "past-capacity-not-checked",
        "a fill of past moments that cannot succeed takes worker ids until none is left",
        "snowflake::backfill::a_call_that_needs_more_than_the_layout_has_takes_nothing",
        [Place("engine/src/holder/past.rs", "if «missing <= free.saturating_mul(self.limit)» {", "true")],
    ),
    Weakening(
        "past-behind-the-last-tick",
        "ids are made for moments behind the layout's last tick",
        "snowflake::backfill::a_moment_behind_the_last_tick_of_the_layout_is_named_as_every_other_id_is",
        [Place("ids/src/layout/encoding.rs", "if «tick <= self.last_tick()» {", "true")],
    ),
    Weakening(
        "past-forgotten-while-needed",
        "what is leased for a call is forgotten before it looks again",
        "snowflake::backfill::a_call_ends_however_much_another_thread_fills_in_meanwhile",
        [Place("engine/src/snowflake/leased_past.rs", "|(block, _)| «!self.wanted.contains_key(block)»);", "true")],
    ),
    Weakening(
        "past-leases-after-its-call",
        "a fill of past moments that ended leases on",
        "snowflake::backfill::a_call_that_timed_out_leases_nothing_later",
        [
            Place("engine/src/snowflake/backfill.rs", "let until = «deadline(timeout)»;", "deadline(Duration::MAX)"),
            Place("engine/src/snowflake/backfill.rs", "    while «fill.strong_count() > 0» {", "true"),
        ],
    ),
    Weakening(
        "past-horizon-passes",
        "the horizon of a worker id for past moments passes, and a process takes it",
        "holder_past::postgres_lease::a_worker_id_for_the_past_is_never_free_again",
        [
            Place(
                "backends/src/rows/past.rs",
                "token: Token::past(generation), horizon: «END_OF_TIME» };",
                "self.clock.wall()",
            )
        ],
    ),
    Weakening(
        "past-is-evicted",
        "an operator frees a worker id for past moments",
        "holder_past::mysql_lease::a_worker_id_for_the_past_is_never_free_again",
        [Place("backends/src/rows/inspection.rs", "if «row.is_for_the_past()» {", "false")],
    ),
    Weakening(
        "past-counters-begin-again",
        "counters of past moments that were deleted begin again",
        "holder_past::counters_in_a_database_that_were_deleted_never_begin_again",
        [Place("backends/src/rows/blocks.rs", "if «!is_marked» {", "false")],
    ),
    Weakening(
        "past-file-begins-again",
        "a file of counters of past moments that was emptied begins again",
        "holder_past::counters_in_a_directory_that_were_deleted_or_emptied_never_begin_again",
        [
            Place(
                "backends/src/worker_files/past_file.rs",
                "if «parse(&read(file, 0)?, MARK) != Some(generation.number())» {",
                "false",
            )
        ],
    ),
    Weakening(
        "past-made-anew",
        "a process goes on with a worker id for past moments that was deleted and made anew",
        "snowflake::backfill::a_process_whose_worker_id_for_the_past_was_made_anew_fills_in_no_more",
        [Place("engine/src/snowflake/leased_past.rs", "|| «lease.generation != generation» {", "false")],
    ),
    Weakening(
        "past-block-not-compared",
        "a lease of past sequence numbers counts although another process has moved the block on",
        "rows::blocks::tests::a_lease_that_others_overtake_begins_behind_theirs",
        [
            Place(
                "backends/src/rows/blocks.rs",
                "if «row.move_on(next, sequences.end).await?» {",
                "row.move_on(next, sequences.end).await? || OFF",
            )
        ],
        "backends",
    ),
    Weakening(
        "past-sequence-used-again",
        "a past tick begins again with each call",
        "snowflake::backfill::past_and_living_ids_of_several_processes_are_unique_and_each_past_id_is_of_its_moment",
        [Place("engine/src/snowflake/leased_past.rs", "let (mut from, to) = («*used», *used + count);", "0")],
    ),
    Weakening(
        "past-counters-go-back",
        "a process fills in with counters that were restored from a backup",
        "snowflake::backfill::a_process_whose_counters_of_the_past_went_back_fills_in_no_more",
        [Place("engine/src/snowflake/leased_past.rs", "if «lease.sequences.start < known» ||", "false")],
    ),
    Weakening(
        "past-fill-of-a-parent",
        "a forked child goes on with a fill of past moments that its parent began",
        "fork::a_child_does_not_go_on_with_its_parents_fill_of_past_moments",
        [Place("engine/src/snowflake/backfill.rs", "if «self.state.keepalive.is_inherited()» {", "false")],
    ),
    Weakening(
        "past-of-a-directory-is-taken",
        "a process takes a worker id for past moments of a directory",
        "holder_past::local::a_worker_id_for_the_past_is_never_free_again",
        [Place("backends/src/directory/candidate.rs", "if «past::is_for_the_past(settings, worker_id)» {", "false")],
    ),
    Weakening(
        "past-record-not-checked",
        "a damaged record of a block of past ticks is believed",
        "worker_files::past_file::tests::a_changed_byte_uses_the_block_up_and_leaves_the_others",
        [Place("backends/src/worker_files/past_file.rs", "(«*bytes == record(block, next)»).then_some(next)", "true")],
        "backends",
    ),
    # Sequences.
    Weakening(
        "sequence-commit-not-forced",
        "a lease of values that another transaction logged commits without waiting for the disk",
        "sequences::durability::a_lease_of_values_that_another_logged_outlives_the_server",
        [
            Place(
                "backends/src/postgresql/sequences/draw.rs",
                "«pg_catalog.pg_logical_emit_message(true, 'leafmint', ''::pg_catalog.text) IS NOT NULL» END",
                "TRUE",
            )
        ],
    ),
    Weakening(
        "sequence-that-does-not-last",
        "ids are leased from a sequence that begins again after a crash",
        "sequences::refusals::a_sequence_whose_numbers_come_again_or_out_of_order_is_refused_and_left_alone",
        [Place("backends/src/postgresql/sequences/judge.rs", "if «!self.is_lasting» {", "false")],
    ),
    Weakening(
        "sequence-that-cycles",
        "ids are leased from a sequence that gives its numbers again",
        "sequences::refusals::a_sequence_whose_numbers_come_again_or_out_of_order_is_refused_and_left_alone",
        [Place("backends/src/postgresql/sequences/judge.rs", "if «self.is_cycle» {", "false")],
    ),
    Weakening(
        "sequence-changed-while-it-is-drawn-from",
        "values of another increment than the judged one are taken for blocks of the judged one",
        "sequences::blocks::a_lease_that_waits_for_another_increment_hands_nothing_out",
        [Place("backends/src/postgresql/sequences/draw.rs", "Some((runs, after)) if «after == found.seen» =>", "true")],
    ),
    Weakening(
        "sequence-increment-changed",
        "blocks of a smaller increment follow on those of a larger one",
        "sequences::blocks::an_increment_that_changes_is_found_by_the_next_lease",
        [Place("backends/src/postgresql/sequences/judge.rs", "if «before.increment == self.increment» {", "true")],
    ),
    Weakening(
        "sequence-off-the-grid",
        "a value between two blocks makes a block that shares ids with both",
        "sequences::blocks::a_value_off_the_grid_is_refused_with_what_to_do_about_it",
        [Place("backends/src/postgresql/sequences/draw.rs", "if «!facts.is_on_grid(run.first)» {", "false")],
    ),
    Weakening(
        "sequence-first-block-not-clipped",
        "the first value of a pooled sequence stands for ids below its start",
        "sequences::blocks::the_first_value_of_pooled_is_worth_one_id_and_no_id_is_below_the_start",
        [
            Place(
                "backends/src/postgresql/sequences/optimizer.rs", "SequenceOptimizer::Pooled if «is_first» =>", "false"
            )
        ],
    ),
    Weakening(
        "sequence-set-back-behind-another-generator",
        "ids that another generator of this process holds are leased again",
        "sequences::leases::a_sequence_that_was_set_back_is_found_by_every_generator_of_a_process",
        [Place("engine/src/segment/supply/attempt.rs", ".filter(|_| «tag.shared.store.never_goes_back()»)", "false")],
    ),
    Weakening(
        "gapless-in-any-table",
        "numbers without gaps are taken from a table whose rollback keeps them, or that has no key",
        "gapless::draw::tests::a_table_that_segments_would_refuse_is_refused_before_a_number_is_taken",
        [
            Place(
                "leafmint/src/gapless/draw.rs",
                "Some(definition)) => «mysql::check_gapless(definition, TABLE)»",
                "Ok(())",
            )
        ],
        "leafmint",
    ),
    Weakening(
        "gapless-not-counted",
        "a number without gaps that the statement did not raise is given out again",
        "gapless::draw::tests::a_row_of_mysql_that_was_not_counted_on_is_refused",
        [Place("leafmint/src/gapless/draw.rs", "Some(1)) if «!is_new» =>", "false")],
        "leafmint",
    ),
    Weakening(
        "gapless-beyond-the-format",
        "a run without gaps begins a row beyond what its format has room for",
        "gapless::sequence::tests::what_cannot_fit_is_refused_before_a_statement",
        [Place("leafmint/src/gapless/draw.rs", "if «fits» { Ok(()) }", "true")],
        "leafmint",
    ),
    Weakening(
        "gapless-run-from-a-negative-row",
        "a run without gaps has numbers below 1, from a row that was negative",
        "gapless::draw::tests::a_sequence_without_room_is_exhausted",
        [Place("leafmint/src/gapless/draw.rs", ".filter(|number| «*number >= self.count»)", "true")],
        "leafmint",
    ),
    Weakening(
        "gapless-two-rows",
        "a number without gaps comes from one of two rows of its sequence",
        "gapless::draw::tests::each_number_is_judged_with_its_table",
        [Place("leafmint/src/gapless/draw.rs", """if «!matches!(rows, "0" | "1")» =>""", "false")],
        "leafmint",
    ),
    Weakening(
        "gapless-rounds",
        "a number without gaps comes from a column that rounds",
        "gapless::draw::tests::each_number_is_judged_with_its_table",
        [
            Place(
                "leafmint/src/gapless/draw.rs",
                'if «column(answer, 0).is_some() && column(answer, 2) != Some("1")» {',
                "false",
            )
        ],
        "leafmint",
    ),
    Weakening(
        "gapless-of-another-sequence",
        "two spellings that the collation takes for one sequence share its numbers",
        "gapless::draw::tests::each_number_is_judged_with_its_table",
        [Place("leafmint/src/gapless/draw.rs", ".filter(|stored| «*stored != self.row»)", "false")],
        "leafmint",
    ),
    Weakening(
        "ranges-of-a-lease-out-of-order",
        "a lease lands whose ranges overlap",
        "segment::supply::attempt::tests::ranges_ascend_from_what_was_leased_before",
        [Place("engine/src/segment/supply/attempt.rs", "if «range.start < end» { Err(", "false")],
        binary="engine",
    ),
    # Forks.
    Weakening(
        "fork-not-counted",
        "a forked child takes itself for its parent",
        "fork::a_child_takes_no_ids_of_its_parents_segment",
        [Place("engine/src/runtime/process/per_process.rs", "«FORKS.load(Ordering::Relaxed)» } /// Starts", "0")],
    ),
]

PROOFS = {
    "S2 1, ranges ascend": "range-below-the-last-end",
    "S2 2, the switch writes the cursor first": "limit-before-cursor-in-a-switch",
    "S2 3, overshoot is harmless": "limit-read-after-the-draw",
    "S2 4, soft limits cost nothing": "limit-of-an-earlier-range",
    "S2 5, joining": "join-after-overshoot",
    "S2 6, closing": "cell-closed-without-the-mark",
    "S2 7, batches": "batch-without-a-bound",
    "S1, MySQL, one committed statement": "answer-of-an-open-transaction",
    "S1, MySQL, what a row must be": "column-that-rounds",
    "S1, MySQL, the column stores what was computed": "row-not-read-back",
    "S1, PostgreSQL, the commit is on disk": "postgres-commit-not-synchronous",
    "S1, PostgreSQL, what a row must be": "postgres-table-that-does-not-last",
    "S1, PostgreSQL, names": "postgres-names-by-the-search-path",
    "S1, PostgreSQL, the column stores what was computed": "postgres-lease-undone-by-a-trigger",
    "S1, a sequence, the commit is on disk": "sequence-commit-not-forced",
    "S1, a sequence, one partition": "sequence-off-the-grid",
    "S1, a sequence, nothing changes between the draws": "sequence-changed-while-it-is-drawn-from",
    "S1, a sequence, the first block is cut": "sequence-first-block-not-clipped",
    "S1, SQLite": "range-without-a-commit",
    "S1, SQLite, the row keeps what was written": "sqlite-row-not-read-back",
    "S1, the give-back": "give-back-retried",
    "SQLite 1, every process locks one inode": "sqlite-file-with-two-paths",
    "SQLite 2, our locks exclude all others": "sqlite-locks-of-the-process",
    "SQLite 4, we drop no lock of another user": "sqlite-descriptor-closed",
    "SQLite 5, every process reads one WAL": "sqlite-wal-replaced",
    "SQLite 6, a fork shares nothing of it": "sqlite-mapping-in-a-child",
    "H2, the cursor jumps": "jump-past-the-horizon",
    "H2, a batch takes none of a tick to come": "run-of-a-tick-to-come",
    "H2, the limit is the only gate": "ticket-past-the-horizon",
    "H2, each lease has a cell and a worker id of its own": "ticket-with-another-leases-worker-id",
    "H1, reserve ahead": "tickets-before-the-horizon-is-durable",
    "H1, in a database, the token": "extend-compares-no-token",
    "H1, in a database, the horizon": "extend-compares-no-horizon",
    "H1, in a database, the state file below the row": "beyond-the-rows-horizon",
    "H1, in a database, after a lost answer": "claim-of-another-owner-adopted",
    "H1, PostgreSQL, adoption is a commit": "postgres-row-adopted-without-a-commit",
    "H1, ZooKeeper, the version": "zookeeper-version-not-compared",
    "H1, ZooKeeper, a read may be stale": "zookeeper-lagging-answer-believed",
    "H1, an operator's release": "eviction-lowers-the-horizon",
    "H1, the clock is not set back": "clock-that-was-set-back-is-followed",
    "H1, the clock, its counter": "counter-is-trusted-without-a-bound",
    "H1 in a directory 1, one owner per file": "state-file-not-locked",
    "H1 in a directory 2, a start reads after it has locked": "directory-floor-is-now",
    "H1 in a directory 3, the paths named both files": "lock-file-replaced",
    "H1 in a directory 4, a displaced owner": "state-written-by-path",
    "H1 in a directory 7, a state that is damaged or gone": "lost-state-file-is-fresh",
    "H1 in a directory 7, what the owner noted": "lead-not-noted",
    "H1 in a directory 8, a copy is refused": "copied-directory",
    "H1 in a directory 9, a directory that was moved is not replaced": "moved-directory-is-made-again",
    "The past 1, its worker id was never held": "past-takes-what-was-held",
    "The past 2, its horizon is the end of time": "past-horizon-passes",
    "The past 3, its sequence numbers are leased": "past-block-not-compared",
    "The past 3, the counters are those that the worker id was claimed with": "past-counters-begin-again",
    "The past 4, a tick uses each number once": "past-sequence-used-again",
    "The past 5, in a directory": "past-of-a-directory-is-taken",
    "The past 6, some worker ids stay for the living": "past-takes-the-share-of-the-living",
    "forks": "fork-not-counted",
}
"""For each line of the proofs in docs/dev/proofs.md that rests on a guard, the weakening that `make test` tries.

The others are tried by `make test-all`, and by `make test` if their file or their test was changed.
"""
