//! The authority on disk: `authority.pem` (private key and certificate, 0600) and `xcheck-ca.pem` (certificate only).
//!
//! Key and certificate stand in one file so that they cannot belong to different generations. The file is written under
//! another name and then linked to its own: a link fails when the name is taken, so of two first uses at the same moment
//! one wins and the other reads what the winner wrote.

use super::CaError;
use rcgen::{BasicConstraints, CertificateParams, DistinguishedName, DnType, IsCa, Issuer, KeyPair, KeyUsagePurpose};
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use time::{Duration, OffsetDateTime};

const PRIVATE: &str = "authority.pem";
const PUBLIC: &str = "xcheck-ca.pem";
const YEARS: i64 = 10;

pub(super) struct Stored {
    pub(super) certificate_path: PathBuf,
    pub(super) certificate_pem: String,
    pub(super) certificate: CertificateDer<'static>,
    pub(super) spki_der: Vec<u8>,
    pub(super) issuer: Issuer<'static, KeyPair>,
}

/// `$XDG_DATA_HOME/xcheck`, or `~/.local/share/xcheck`.
pub(super) fn default_folder() -> Result<PathBuf, CaError> {
    let absolute = |name: &str| {
        std::env::var_os(name)
            .map(PathBuf::from)
            .filter(|path| path.is_absolute())
    };
    absolute("XDG_DATA_HOME")
        .or_else(|| absolute("HOME").map(|home| home.join(".local/share")))
        .map(|data| data.join("xcheck"))
        .ok_or(CaError::NoDataDir)
}

pub(super) fn load_or_create(folder: &Path) -> Result<Stored, CaError> {
    let path = folder.join(PRIVATE);
    let text = match fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => create(folder, &path)?,
        Err(source) => return Err(file("read", &path)(source)),
    };
    let stored = parse(&text, folder.join(PUBLIC)).map_err(|why| CaError::Unusable { path, why })?;
    publish(folder, &stored)?;
    Ok(stored)
}

fn parse(text: &str, certificate_path: PathBuf) -> Result<Stored, String> {
    let key = KeyPair::from_pem(text).map_err(|error| error.to_string())?;
    let certificate = CertificateDer::from_pem_slice(text.as_bytes()).map_err(|error| error.to_string())?;
    let spki_der = rcgen::PublicKeyData::subject_public_key_info(&key);
    let issuer = Issuer::from_ca_cert_der(&certificate, key).map_err(|error| error.to_string())?;
    Ok(Stored {
        certificate_path,
        certificate_pem: super::pem("CERTIFICATE", &certificate),
        certificate,
        spki_der,
        issuer,
    })
}

/// Writes a new authority unless somebody else did meanwhile; returns the text that is on disk now.
fn create(folder: &Path, path: &Path) -> Result<String, CaError> {
    create_private_folder(folder).map_err(file("create", folder))?;
    let text = generate().map_err(|error| CaError::Unusable {
        path: path.to_owned(),
        why: error.to_string(),
    })?;
    let mut temporary = Temporary::new(folder)?;
    temporary
        .file
        .write_all(text.as_bytes())
        .map_err(file("write", &temporary.path))?;
    temporary.file.sync_all().map_err(file("write", &temporary.path))?;
    match fs::hard_link(&temporary.path, path) {
        Ok(()) => Ok(text),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            fs::read_to_string(path).map_err(file("read", path))
        }
        Err(source) => Err(file("create", path)(source)),
    }
}

fn generate() -> Result<String, rcgen::Error> {
    let key = KeyPair::generate()?;
    let mut name = DistinguishedName::new();
    name.push(DnType::OrganizationName, "xcheck");
    // Each authority has a name of its own: browsers confuse two authorities of the same name and different keys.
    name.push(
        DnType::CommonName,
        format!("xcheck recording CA {}", crate::random::hex::<4>()),
    );
    let mut params = CertificateParams::default();
    params.distinguished_name = name;
    params.is_ca = IsCa::Ca(BasicConstraints::Constrained(0));
    params.key_usages = vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::CrlSign];
    params.serial_number = Some(super::leaf::random_serial());
    params.not_before = OffsetDateTime::now_utc() - Duration::days(2);
    params.not_after = OffsetDateTime::now_utc() + Duration::days(365 * YEARS);
    let certificate = params.self_signed(&key)?;
    Ok(format!(
        "{}{}",
        key.serialize_pem(),
        super::pem("CERTIFICATE", certificate.der())
    ))
}

/// Puts the certificate where people find it. Written anew when it is missing or belongs to an older authority.
fn publish(folder: &Path, stored: &Stored) -> Result<(), CaError> {
    let path = &stored.certificate_path;
    match fs::read_to_string(path) {
        Ok(there) if there == stored.certificate_pem => return Ok(()),
        Ok(_) => {}
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(source) => return Err(file("read", path)(source)),
    }
    let mut temporary = Temporary::new(folder)?;
    temporary
        .file
        .write_all(stored.certificate_pem.as_bytes())
        .map_err(file("write", &temporary.path))?;
    fs::rename(&temporary.path, path).map_err(file("create", path))
}

/// A file of ours alone (0600), removed when dropped.
struct Temporary {
    path: PathBuf,
    file: fs::File,
}

impl Temporary {
    fn new(folder: &Path) -> Result<Self, CaError> {
        let path = folder.join(format!(".new-{}", crate::random::hex::<8>()));
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let file = options.open(&path).map_err(file("create", &path))?;
        Ok(Temporary { path, file })
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        // After a rename the name is gone already; a leftover of a failed write is empty of secrets nobody else could read.
        let _ = fs::remove_file(&self.path);
    }
}

fn create_private_folder(folder: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

fn file<'a>(doing: &'static str, path: &'a Path) -> impl Fn(io::Error) -> CaError + use<'a> {
    move |source| CaError::File {
        doing,
        path: path.to_owned(),
        source,
    }
}
