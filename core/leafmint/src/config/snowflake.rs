//! The configuration of a snowflake generator.

use super::holder::{self, WorkersOption};
use super::options::SNOWFLAKE_OPTIONS;
use super::params::Params;
use super::segment::Database;
use super::servers::HolderConfig;
use super::url::Url;
use super::url_secrets;
use super::value::OptionValue;
use leafmint_backends::borrowed::Borrowing;
use leafmint_engine::snowflake::{ClockPolicy, ClockRollback, Settings};
use leafmint_ids::error::{ConfigErrors, Error, ErrorKind, Result};
use leafmint_ids::layout::Layout;

pub struct SnowflakeConfig {
    pub holder: HolderConfig,
    pub settings: Settings,
    /// The option that chooses the worker ids.
    pub workers_option: WorkersOption,
    /// Whether the processor's counter may tell the time.
    pub uses_counter: bool,
}

impl SnowflakeConfig {
    /// Reads what this process is to use, however the database is reached.
    pub fn of(database: Database<'_>, options: impl IntoIterator<Item = (String, OptionValue)>) -> Result<Self> {
        match database {
            Database::Url(url) => Self::parse(url, options),
            Database::Lent(lender) => Self::through(Borrowing::new(lender), options),
        }
    }

    /// Reads what this process is to use.
    pub fn parse(url: &str, options: impl IntoIterator<Item = (String, OptionValue)>) -> Result<Self> {
        Self::parse_for(false, url, options)
    }

    /// Reads what all processes with this URL and these options may use: ordinals and maps mean all their worker ids.
    pub fn of_fleet(url: &str, options: impl IntoIterator<Item = (String, OptionValue)>) -> Result<Self> {
        Self::parse_for(true, url, options)
    }

    fn parse_for(of_fleet: bool, url: &str, options: impl IntoIterator<Item = (String, OptionValue)>) -> Result<Self> {
        url_secrets::check(url)?;
        let mut errors = ConfigErrors::default();
        let parsed = Url::parse(url, &mut errors);
        let mut params = Params::gather(&parsed, options, SNOWFLAKE_OPTIONS, &mut errors);
        params.of_fleet = of_fleet;
        let config = Self::read(parsed, &params, &mut errors);
        errors.into_result(&format!("{:?} cannot be opened", url_secrets::redacted(url)))?;
        // Without an error there is a holder.
        config.ok_or_else(|| Error::new(ErrorKind::InvalidConfig, "no holder"))
    }

    /// Reads what this process is to use, over connections of the application.
    pub fn through(lender: Borrowing, options: impl IntoIterator<Item = (String, OptionValue)>) -> Result<Self> {
        let (mut errors, name) = (ConfigErrors::default(), lender.name().to_owned());
        let params = Params::gather(&Url::default(), options, SNOWFLAKE_OPTIONS, &mut errors);
        let settings = Self::read_settings(&params, &mut errors);
        let uses_counter = uses_counter(&params);
        let workers_option = WorkersOption::of(&Url::default(), &params);
        let holder = holder::through(lender, &params, &settings.layout, &mut errors);
        errors.into_result(&format!("{name} cannot be used"))?;
        Ok(Self { holder, settings, workers_option, uses_counter })
    }

    /// Reads the settings of a generator in virtual time. Options that only holders have are accepted, so that a test
    /// may pass those of the application, and have no effect.
    pub fn settings(options: impl IntoIterator<Item = (String, OptionValue)>) -> Result<Settings> {
        let mut errors = ConfigErrors::default();
        let params = Params::gather(&Url::default(), options, SNOWFLAKE_OPTIONS, &mut errors);
        let mut settings = Self::read_settings(&params, &mut errors);
        if !params.has("sequence_jitter") {
            settings.jitter = 0;
        }
        errors.into_result("the generator cannot be opened")?;
        Ok(settings)
    }

    fn read(url: Url, params: &Params, errors: &mut ConfigErrors) -> Option<Self> {
        let settings = Self::read_settings(params, errors);
        let uses_counter = uses_counter(params);
        let workers_option = WorkersOption::of(&url, params);
        let holder = holder::read(url, params, &settings.layout, errors)?;
        Some(Self { holder, settings, workers_option, uses_counter })
    }

    fn read_settings(params: &Params, errors: &mut ConfigErrors) -> Settings {
        let layout = layout(params, errors);
        let bits = layout.bits();
        let datacenters = (1_i64 << bits.datacenter) - 1;
        let half = (1_i64 << bits.sequence) / 2;
        Settings {
            datacenter_id: errors.keep_of("datacenter_id", params.up_to("datacenter_id", datacenters), 0),
            timeout: params.get("timeout"),
            clock: ClockPolicy {
                rollback: params.choice(
                    "clock_rollback",
                    &[
                        ("continue", ClockRollback::Continue),
                        ("wait", ClockRollback::Wait),
                        ("fail", ClockRollback::Fail),
                    ],
                ),
                max_clock_lead: params.get("max_clock_lead"),
            },
            jitter: params.get::<i64>("sequence_jitter").min(half),
            eager: params.get("eager"),
            close_at_exit: params.get("close_at_exit"),
            layout,
        }
    }
}

fn uses_counter(params: &Params) -> bool {
    params.choice("clock", &[("auto", true), ("system", false)])
}

fn layout(params: &Params, errors: &mut ConfigErrors) -> Layout {
    Layout::parse(&params.get::<String>("layout"), params.given("epoch")).unwrap_or_else(|error| {
        errors.add_of("layout", error.message());
        Layout::default()
    })
}
