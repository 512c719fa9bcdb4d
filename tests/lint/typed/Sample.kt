// What an application in Kotlin does with leafmint, for the compiler. It is never run.

import io.github.leafmint.*
import io.github.leafmint.LongRange
import io.github.leafmint.audit.*
import io.github.leafmint.ids.*
import io.github.leafmint.sharding.*
import java.nio.file.Path
import java.time.Duration
import java.time.Instant
import java.time.LocalDate
import java.time.ZoneId
import javax.sql.DataSource
import kotlinx.coroutines.future.await
import kotlinx.coroutines.runBlocking

private val TOKYO: ZoneId = ZoneId.of("Asia/Tokyo")
private val SECOND: Duration = Duration.ofSeconds(1)

@IdForm(prefix = "order", tag = "order")
class OrderId(value: Long) : TypedId(value)

@IdForm(form = IdForm.Form.SCRAMBLED, name = "member", format = "M-{number:8}-{check:damm}", keyNumber = 0)
class MemberId(value: Long) : TypedId(value)

fun segments(url: String, password: String?): SegmentGenerator =
    SegmentGenerator.builder(url)
        .autoCreate(true)
        .eagerTags("order", "invoice")
        .timeout(SECOND)
        .credentials { Credentials("shop", password ?: "") }
        .sslMode(SslMode.REQUIRED)
        .option("table", "leaf_alloc")
        .open()

fun snowflakes(url: String, epoch: Instant?): SnowflakeGenerator {
    val builder = SnowflakeGenerator.builder(url).workers("0-63").workerMode(WorkerMode.LEASE)
    builder.workerMap(mapOf("a" to 1L)).clock(SnowflakeClock.SYSTEM).clockRollback(ClockRollback.WAIT)
    return (if (epoch == null) builder else builder.epoch(epoch)).open()
}

suspend fun mint(order: Tag, any: IdSource): List<Long> {
    val range: LongRange = order.nextRangeAsync(3).await()
    val ids = mutableListOf(order.nextId(), any.nextId(SECOND), any.nextIdAsync().await(), range.start())
    order.tryNextId().ifPresent { ids += it }
    ids += any.nextIdsAsync(2).await().toList()
    return ids + order.nextIds(2).asList()
}

fun explain(layout: Layout, id: Long): String {
    val parts: DecodedId = layout.decode(id)
    val other = layout.compose(parts.timestamp()).workerId(7).sequence(42).id()
    return "${parts.workerId()} ${layout.minId(parts.timestamp())} $other"
}

fun orToday(invoices: IdFormat, text: String): String {
    val parts: NumberParts = invoices.parseForgiving(text)
    return invoices.format(parts.on(parts.date() ?: LocalDate.now(TOKYO)).withKey(parts.key() ?: "shop-7"))
}

suspend fun invoices(ids: SegmentGenerator): List<String> {
    val invoices = ids.series("invoice").period(SeriesPeriod.DAY).zone(TOKYO).format(IdFormat.of("{number:6}")).open()
    val first: SeriesNumber = invoices.next(LocalDate.of(2026, 11, 25), SECOND)
    val zone: ZoneId? = invoices.zone()
    return invoices.nextManyAsync(2).await().map { it.text() } + (first.key() ?: first.group()) + "$zone"
}

fun bill(database: DataSource, on: LocalDate?): String {
    val bills = GaplessSequence.named("bill").period(SeriesPeriod.YEAR).zone(TOKYO).start(1000).build()
    return database.connection.use {
        val number: SeriesNumber = if (on == null) bills.next(it) else bills.next(it, on)
        val last: Long? = bills.last(it).orElse(null)?.number()
        "${number.date() ?: number.key()} $last ${bills.nextMany(it, 2).map(SeriesNumber::number)} ${bills.zone()}"
    }
}

fun typedIds(ids: SegmentGenerator, secret: Path): List<String> {
    val texts = TypedIds.of { IdKeys.fromFile(secret) }.mintingTags(ids::tag)
    TypedIds.setDefault(texts)
    val order: OrderId = texts.parse(OrderId::class.java, texts.text(TypedId.next(OrderId::class.java)))
    return listOf("$order", "${order < OrderId(43)} ${order.value()}", texts.example(MemberId::class.java))
}

fun publicIds(keys: IdKeys): String {
    val members = ScrambledNumbers.of("member", keys, IdFormat.of("{number:8}{check:damm}"))
    return members.encode(PublicIds.of("order", keys).decode("order_55zyq8fyn6wyk243qwa6yvbrz1"))
}

fun places(layout: Layout, id: Long, user: String): List<String> {
    val gene = Genes.geneOfId(Genes.withGene(id, Genes.geneOfKey(user, 4).toLong(), 4), 4)
    val sharded: ShardedId = ShardRule.of("10", 1024, ShardStrategy.CRC32).compose(id, 5)
    return PeriodTables.names("orders_{year}", layout.epoch(), Instant.now(), TOKYO) + "db$gene" + sharded.text()
}

suspend fun operate(ids: SegmentGenerator, flakes: SnowflakeGenerator): Long {
    ids.initSchemaAsync().await()
    if (ids.createTag("order").step(100).geneBits(4).createAsync().await()) ids.setTag("order").step(200).apply()
    ids.onTag { name -> println("first use of $name") }
    val slow: Boolean = ids.check().roundTrip() > SECOND || (flakes.check().clockSkew() ?: Duration.ZERO) > SECOND
    val gone = flakes.listWorkers().filter { (it.horizon() ?: Instant.MAX) < Instant.now() }
    gone.forEach { flakes.releaseWorker(it.workerId(), slow) }
    return ids.raiseTagAboveAsync("order", 5000).await() + ids.listTags().count { it.problem() != null }
}

fun shortest(ids: SegmentGenerator, flakes: SnowflakeGenerator): Duration? {
    val lasts: List<Duration> = ids.stats().tags().values.mapNotNull { it.supply() }
    val worker: Long = flakes.stats().workerId() ?: -1
    println("$worker is ahead by ${flakes.stats().clockLead().toMillis()} ms: ${flakes.stats().lastError()}")
    return (lasts + listOfNotNull(flakes.stats().horizon())).minOrNull()
}

fun runningOut(database: DataSource, earlier: AuditReport?, soon: Duration): List<String> {
    val audit = Audit.of(database).tables("shop_*").tag("orders", "order")
    val report: AuditReport = (if (earlier == null) audit else audit.since(earlier)).run()
    val wrong = report.findings().filter { it.severity() == Severity.PROBLEM }.map { "${it.kind()}: ${it.text()}" }
    return wrong + report.keys().filter { key -> key.timeLeft()?.let { it < soon } ?: false }.map { it.table() }
}

fun mintOrSayWhy(ids: IdSource): String =
    try {
        "${ids.nextId()}"
    } catch (error: InvalidConfigException) {
        "${error.options()}: ${error.reason()?.trim() ?: error.message}"
    } catch (error: LeafmintException) {
        if (error.retryable()) "try again: ${error.code()}" else error.serverCode() ?: error.code()
    }

fun main(arguments: Array<String>): Unit = runBlocking {
    segments(arguments[0], System.getenv("PASSWORD")).use { ids ->
        val flakes = snowflakes(arguments[1], null)
        val order: Tag = ids.tag("order", TagOptions().geneBits(4).order(IdOrder.RELAXED))
        println("${mint(order, flakes)} ${mintOrSayWhy(flakes)} ${shortest(ids, flakes)}")
        println("${explain(flakes.layout(), 42)} ${places(flakes.layout(), 42, "user-42")} ${operate(ids, flakes)}")
        println("${typedIds(ids, Path.of(arguments[2]))} ${publicIds(IdKeys.of(IdKeys.generate(1)))} ${invoices(ids)}")
        flakes.close()
    }
}
