//! The drivers of applications, and a database for each test of one.

use super::bridge::{self, Language};
use super::spec::Asked;
use super::{mysql, postgres, sqlite};
use crate::stores;
use leafmint_backends::borrowed::{Lender, Ran};
use leafmint_backends::sessions::{DatabaseSettings, LogIn};
use leafmint_engine::store::SegmentStore;
use std::any::Any;
use std::sync::Arc;

/// A database that an application's connections lead to.
pub(crate) struct Lent {
    lend: Box<dyn Fn() -> Arc<dyn Lender> + Send + Sync>,
    /// A table that is not there yet.
    pub(crate) table: String,
    /// The file of SQLite.
    path: Option<String>,
    /// What is removed at the end.
    _kept: Box<dyn Any + Send + Sync>,
}

/// Makes a suite of the promises of each driver.
///
/// Those that need no program of another language come first.
macro_rules! on_each_driver {
    ($suite:ident; $($promise:ident),* $(,)?) => {
        $suite! { lent_mysql, crate::lending::drivers::Lent::native_mysql(); $($promise),* }
        $suite! { lent_postgres, crate::lending::drivers::Lent::native_postgres(); $($promise),* }
        $suite! { lent_sqlite, crate::lending::drivers::Lent::native_sqlite(); $($promise),* }
        $suite! { lent_jdbc_mariadb, crate::lending::drivers::Lent::jdbc_mysql("mariadb", ""); $($promise),* }
        $suite! { lent_jdbc_mysql, crate::lending::drivers::Lent::jdbc_mysql("mysql", "&useSSL=false"); $($promise),* }
        $suite! { lent_jdbc_postgres, crate::lending::drivers::Lent::jdbc_postgres(); $($promise),* }
        $suite! { lent_jdbc_h2, crate::lending::drivers::Lent::jdbc("h2:mem:{}"); $($promise),* }
        $suite! { lent_jdbc_h2_file, crate::lending::drivers::Lent::jdbc_in_folder("h2:file:{}/app"); $($promise),* }
        $suite! { lent_jdbc_hsqldb, crate::lending::drivers::Lent::jdbc("hsqldb:mem:{}"); $($promise),* }
        $suite! { lent_jdbc_derby, crate::lending::drivers::Lent::jdbc("derby:memory:{};create=true"); $($promise),* }
        $suite! { lent_jdbc_sqlite, crate::lending::drivers::Lent::jdbc_in_folder("sqlite:{}/app.db"); $($promise),* }
        $suite! { lent_py_psycopg, crate::lending::drivers::Lent::py_postgres("psycopg"); $($promise),* }
        $suite! { lent_py_psycopg_async, crate::lending::drivers::Lent::py_postgres("psycopg_async"); $($promise),* }
        $suite! { lent_py_psycopg2, crate::lending::drivers::Lent::py_postgres("psycopg2"); $($promise),* }
        $suite! { lent_py_asyncpg, crate::lending::drivers::Lent::py_postgres("asyncpg"); $($promise),* }
        $suite! { lent_py_pymysql, crate::lending::drivers::Lent::py_mysql("pymysql"); $($promise),* }
        $suite! { lent_py_aiomysql, crate::lending::drivers::Lent::py_mysql("aiomysql"); $($promise),* }
        $suite! { lent_py_asyncmy, crate::lending::drivers::Lent::py_mysql("asyncmy"); $($promise),* }
        $suite! { lent_py_mysqlclient, crate::lending::drivers::Lent::py_mysql("mysqldb"); $($promise),* }
        $suite! { lent_py_django_mysql, crate::lending::drivers::Lent::py_django_mysql(); $($promise),* }
        $suite! { lent_py_django_postgres, crate::lending::drivers::Lent::py_django_postgres(); $($promise),* }
        $suite! { lent_py_sqlite, crate::lending::drivers::Lent::py_sqlite("sqlite"); $($promise),* }
        $suite! { lent_py_aiosqlite, crate::lending::drivers::Lent::py_sqlite("sqlite+aiosqlite"); $($promise),* }
    };
}

impl Lent {
    /// Lends as one more process would.
    pub(crate) fn lender(&self) -> Arc<dyn Lender> {
        (self.lend)()
    }

    /// Opens a store as one more process would.
    pub(crate) fn store(&self) -> Arc<dyn SegmentStore> {
        super::store(self.lender(), &self.table)
    }

    /// Runs a statement, as an operator would.
    #[track_caller]
    pub(crate) fn sql(&self, statement: &str) {
        self.ran(statement);
    }

    /// Reads the first column of each row.
    #[track_caller]
    pub(crate) fn texts(&self, question: &str) -> Vec<String> {
        match self.ran(question) {
            Ran::Rows(rows) => rows.into_iter().map(|mut row| row.remove(0).unwrap_or("NULL".to_owned())).collect(),
            other => panic!("{other:?}"),
        }
    }

    #[track_caller]
    fn ran(&self, statement: &str) -> Ran {
        let lender = self.lender();
        let (connection, _) = Asked::open(&lender);
        connection.run(&[statement]).remove(0).unwrap_or_else(|error| panic!("{statement}: {error:?}"))
    }

    /// Returns the path of the file, if it is one of SQLite.
    pub(crate) fn path(&self) -> Option<&str> {
        self.path.as_deref()
    }

    /// Returns whether it is SQLite, whose columns have no types.
    pub(crate) fn is_sqlite(&self) -> bool {
        self.path.is_some()
    }

    fn over(
        lend: impl Fn() -> Arc<dyn Lender> + Send + Sync + 'static,
        table: &str,
        kept: impl Any + Send + Sync,
    ) -> Self {
        Self { lend: Box::new(lend), table: table.to_owned(), path: None, _kept: Box::new(kept) }
    }

    fn on_mysql(lend: impl Fn() -> Arc<dyn Lender> + Send + Sync + 'static) -> Self {
        let table = stores::Table::missing();
        Self::over(lend, &table.0.clone(), table)
    }

    fn on_postgres(lend: impl Fn() -> Arc<dyn Lender> + Send + Sync + 'static) -> Self {
        let table = stores::postgres::Table::missing();
        Self::over(lend, &table.0.clone(), table)
    }

    fn in_folder(lend: impl Fn(&str) -> Arc<dyn Lender> + Send + Sync + 'static) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().to_str().unwrap().to_owned();
        let file = format!("{path}/app.db");
        Self { path: Some(file), ..Self::over(move || lend(&path), "leaf_alloc", folder) }
    }

    pub(crate) fn native_mysql() -> Self {
        Self::on_mysql(|| mysql::lender(&stores::mysql_url()))
    }

    pub(crate) fn native_postgres() -> Self {
        Self::on_postgres(|| postgres::lender(&stores::postgres_url()))
    }

    pub(crate) fn native_sqlite() -> Self {
        Self::in_folder(move |folder| sqlite::lender(&format!("{folder}/app.db")))
    }

    pub(crate) fn jdbc_mysql(scheme: &str, parameters: &str) -> Self {
        let url = format!("jdbc:{scheme}://{}{parameters}", jdbc_location(&stores::mysql_url()));
        Self::on_mysql(move || bridge::lender(Language::Java, &url))
    }

    pub(crate) fn jdbc_postgres() -> Self {
        let url = format!("jdbc:postgresql://{}", jdbc_location(&stores::postgres_url()));
        Self::on_postgres(move || bridge::lender(Language::Java, &url))
    }

    /// A database in memory, as long as its program runs.
    pub(crate) fn jdbc(url: &str) -> Self {
        let parameters = if url.starts_with("h2") { ";DB_CLOSE_DELAY=-1" } else { "" };
        let url = format!("jdbc:{}{parameters}", url.replace("{}", &stores::unique("lent")));
        Self::over(move || bridge::lender(Language::Java, &url), "leaf_alloc", ())
    }

    /// A database of the test's own.
    pub(crate) fn jdbc_at(url: &str) -> Self {
        let url = format!("jdbc:{url}");
        Self::over(move || bridge::lender(Language::Java, &url), "leaf_alloc", ())
    }

    pub(crate) fn jdbc_in_folder(url: &'static str) -> Self {
        Self::in_folder(move |folder| bridge::lender(Language::Java, &format!("jdbc:{}", url.replace("{}", folder))))
    }

    pub(crate) fn py_mysql(driver: &str) -> Self {
        let url = stores::mysql_url().replacen("mysql", &format!("mysql+{driver}"), 1);
        Self::on_mysql(move || bridge::lender(Language::Python, &url))
    }

    pub(crate) fn py_postgres(driver: &str) -> Self {
        let url = stores::postgres_url().replacen("postgresql", &format!("postgresql+{driver}"), 1);
        Self::on_postgres(move || bridge::lender(Language::Python, &url))
    }

    pub(crate) fn py_django_mysql() -> Self {
        let url = format!("django+{}", stores::mysql_url());
        Self::on_mysql(move || bridge::lender(Language::Python, &url))
    }

    pub(crate) fn py_django_postgres() -> Self {
        let url = format!("django+{}", stores::postgres_url());
        Self::on_postgres(move || bridge::lender(Language::Python, &url))
    }

    pub(crate) fn py_sqlite(scheme: &'static str) -> Self {
        Self::in_folder(move |folder| bridge::lender(Language::Python, &format!("{scheme}:///{folder}/app.db")))
    }
}

/// Returns what follows the scheme of a URL, as drivers of JDBC read it.
fn jdbc_location(url: &str) -> String {
    let DatabaseSettings { hosts, database, log_in, .. } = stores::settings(url);
    let LogIn::Configured { user, password } = log_in else { unreachable!() };
    let (host, port) = &hosts[0];
    let (user, password) = (user.unwrap_or_default(), password.unwrap_or_default());
    format!("{host}:{port}/{database}?user={user}&password={password}")
}
