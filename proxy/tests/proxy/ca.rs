use std::process::Command;
use std::sync::Arc;
use xcheck_proxy::Authority;

#[test]
fn the_authority_is_made_once_and_its_key_is_private() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let first = Authority::open(&data).unwrap();
    let second = Authority::open(&data).unwrap();
    assert_eq!(first.fingerprint(), second.fingerprint());
    assert_eq!(first.spki_sha256(), second.spki_sha256());
    use std::os::unix::fs::PermissionsExt;
    let mode = std::fs::metadata(data.join("authority.pem"))
        .unwrap()
        .permissions()
        .mode();
    assert_eq!(mode & 0o777, 0o600);
    let names: Vec<_> = std::fs::read_dir(&data)
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    assert_eq!(names.len(), 2, "no temporary files stay behind: {names:?}");
}

#[test]
fn first_uses_at_the_same_moment_agree_on_one_authority() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("data");
    let fingerprints: Vec<String> = std::thread::scope(|scope| {
        let openers: Vec<_> = (0..16)
            .map(|_| scope.spawn(|| Authority::open(&path).unwrap().fingerprint()))
            .collect();
        openers.into_iter().map(|opener| opener.join().unwrap()).collect()
    });
    assert!(fingerprints.iter().all(|fingerprint| *fingerprint == fingerprints[0]));
}

#[test]
fn a_damaged_authority_is_named_and_not_replaced() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("authority.pem"), "nonsense").unwrap();
    let error = Authority::open(folder.path()).map(drop).unwrap_err().to_string();
    assert!(
        error.contains("authority.pem") && error.contains("move it away"),
        "{error}"
    );
}

#[test]
fn openssl_accepts_leaves_for_names_and_addresses() {
    let folder = tempfile::tempdir().unwrap();
    let authority = Authority::open(folder.path()).unwrap();
    for (name, kind) in [
        ("example.test", "verify_hostname"),
        ("127.0.0.1", "verify_ip"),
        ("::1", "verify_ip"),
    ] {
        let port = serve_one_handshake(authority.server_config(name).unwrap());
        let output = Command::new("openssl")
            .args([
                "s_client",
                "-connect",
                &format!("127.0.0.1:{port}"),
                "-verify_return_error",
            ])
            .args([&format!("-{kind}"), name, "-CAfile"])
            .arg(authority.certificate_path())
            .stdin(std::process::Stdio::null())
            .output()
            .expect("openssl is installed");
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(
            text.contains("Verify return code: 0 (ok)"),
            "{name}: {text}{}",
            String::from_utf8_lossy(&output.stderr)
        );
    }
}

#[test]
fn leaves_are_remembered_whatever_the_case_of_the_name() {
    let folder = tempfile::tempdir().unwrap();
    let authority = Authority::open(folder.path()).unwrap();
    let (one, two) = (
        authority.server_config("Example.test").unwrap(),
        authority.server_config("example.TEST").unwrap(),
    );
    assert!(Arc::ptr_eq(&one, &two));
    assert!(Arc::ptr_eq(
        &authority.server_config("[::1]").unwrap(),
        &authority.server_config("::1").unwrap()
    ));
}

fn serve_one_handshake(config: Arc<rustls::ServerConfig>) -> u16 {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    std::thread::spawn(move || {
        let (mut socket, _) = listener.accept().unwrap();
        let mut connection = rustls::ServerConnection::new(config).unwrap();
        connection.complete_io(&mut socket).unwrap();
    });
    port
}
