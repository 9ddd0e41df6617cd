//! A real server: nginx with TLS of its own making, HTTP/2, gzip, ranges and short keep-alive.

use crate::support::*;
use rcgen::{BasicConstraints, CertificateParams, IsCa, KeyPair};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use tempfile::TempDir;
use tokio::io::AsyncWriteExt;
use tokio::net::{TcpSocket, TcpStream};
use xcheck_proxy::UpstreamTrust;
use xcheck_trace::exchange::End;

pub(crate) struct Nginx {
    process: Child,
    pub(crate) folder: TempDir,
    pub(crate) plain: u16,
    pub(crate) tls: u16,
    _reserved: [TcpSocket; 2],
}

impl Nginx {
    pub(crate) async fn start() -> Nginx {
        Nginx::with_certificate(IsCa::NoCa, "localhost").await
    }

    /// Self-signed.
    async fn with_certificate(is_ca: IsCa, name: &str) -> Nginx {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        let key = KeyPair::generate().unwrap();
        let mut certificate = CertificateParams::new(vec![name.to_owned(), "127.0.0.1".to_owned()]).unwrap();
        certificate.is_ca = is_ca;
        let certificate = certificate.self_signed(&key).unwrap();
        std::fs::write(root.join("cert.pem"), certificate.pem()).unwrap();
        std::fs::write(root.join("key.pem"), key.serialize_pem()).unwrap();
        std::fs::create_dir(root.join("www")).unwrap();
        std::fs::write(
            root.join("www/index.html"),
            format!(
                "<!doctype html><html><head></head><body>{}</body></html>",
                "hello ".repeat(1000)
            ),
        )
        .unwrap();
        std::fs::write(
            root.join("www/data.bin"),
            (0..100_000u32).map(|i| i as u8).collect::<Vec<u8>>(),
        )
        .unwrap();
        let (plain_reserved, plain) = reserved();
        let (tls_reserved, tls) = reserved();
        std::fs::write(root.join("nginx.conf"), configuration(root, plain, tls)).unwrap();
        let process = Command::new("/usr/sbin/nginx")
            .args(["-e", "stderr", "-p"])
            .arg(root)
            .arg("-c")
            .arg(root.join("nginx.conf"))
            .stderr(Stdio::inherit())
            .spawn()
            .expect("nginx is installed (apt-get install nginx-light)");
        let nginx = Nginx {
            process,
            folder,
            plain,
            tls,
            _reserved: [plain_reserved, tls_reserved],
        };
        // It binds before it serves, and tells nobody when: the first connection that is taken does.
        within(async {
            while TcpStream::connect(("127.0.0.1", tls)).await.is_err() {
                tokio::task::yield_now().await
            }
        })
        .await;
        nginx
    }
}

impl Drop for Nginx {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// A port that only who shares it, as nginx does, can take before nginx has. It is never listened at here.
fn reserved() -> (TcpSocket, u16) {
    let socket = TcpSocket::new_v4().unwrap();
    socket.set_reuseport(true).unwrap();
    socket.bind("127.0.0.1:0".parse().unwrap()).unwrap();
    let port = socket.local_addr().unwrap().port();
    (socket, port)
}

fn configuration(root: &Path, plain: u16, tls: u16) -> String {
    let root = root.display();
    format!(
        "daemon off; master_process off; worker_processes 1; pid {root}/pid; error_log stderr error;
         events {{ worker_connections 256; }}
         http {{
           access_log {root}/access.log; root {root}/www; default_type application/octet-stream; types {{ text/html html; }}
           gzip on; gzip_types *; gzip_min_length 1; keepalive_requests 3; client_max_body_size 1g;
           client_body_temp_path {root}/body; proxy_temp_path {root}/proxy; fastcgi_temp_path {root}/f; uwsgi_temp_path {root}/u; scgi_temp_path {root}/s;
           server {{ listen 127.0.0.1:{plain} reuseport; location /sink {{ client_body_buffer_size 1k; proxy_pass http://127.0.0.1:{plain}/discard; }} location /discard {{ return 200 done; }} }}
           server {{ listen 127.0.0.1:{tls} ssl http2 reuseport; ssl_certificate {root}/cert.pem; ssl_certificate_key {root}/key.pem;
             location /sink {{ client_body_buffer_size 1k; proxy_pass http://127.0.0.1:{plain}/discard; }} }}
         }}"
    )
}

#[tokio::test]
async fn https_is_looked_into_over_http_2_on_both_sides() {
    let nginx = Nginx::start().await;
    let rig = Rig::trusting().await;
    let url = format!("https://localhost:{}/", nginx.tls);
    let curl = rig.curl(&["-i", "--http2", &url]).await.ok();
    assert!(
        curl.text().starts_with("HTTP/1.1 200 Connection established") || curl.text().contains("HTTP/2 200"),
        "{}",
        curl.text()
    );
    assert!(curl.text().contains("HTTP/2 200"), "{}", curl.text());
    assert!(curl.text().contains("/__xcheck/"), "{}", curl.text());
    let recorded = rig.stop().await;
    let exchange = recorded.exchange();
    assert_eq!(exchange.request.version, "HTTP/2.0");
    assert_eq!(exchange.request.url, url);
    assert_eq!(exchange.response.as_ref().unwrap().version, "HTTP/2.0");
    assert!(exchange.injected);
}

#[tokio::test]
async fn an_offer_of_http_2_in_the_clear_is_passed_over() {
    let nginx = Nginx::start().await;
    let rig = Rig::start().await;
    let url = format!("http://127.0.0.1:{}/", nginx.plain);
    let curl = rig.curl(&["-i", "--http2", &url]).await.ok();
    assert!(
        curl.text().starts_with("HTTP/1.1 200") && curl.text().contains("/__xcheck/"),
        "{}",
        curl.text()
    );
    assert!(rig.stop().await.exchange().injected);
}

#[tokio::test]
async fn https_clients_without_http_2_are_served_too() {
    let nginx = Nginx::start().await;
    let rig = Rig::trusting().await;
    let url = format!("https://127.0.0.1:{}/data.bin", nginx.tls);
    let curl = rig.curl(&["--http1.1", &url]).await.ok();
    assert_eq!(curl.out.len(), 100_000);
    assert_eq!(rig.stop().await.exchange().request.version, "HTTP/1.1");
}

#[tokio::test]
async fn a_certificate_nobody_vouches_for_gives_a_page_that_says_so() {
    let nginx = Nginx::start().await;
    let rig = Rig::start().await;
    let url = format!("https://localhost:{}/", nginx.tls);
    let curl = rig.curl(&["-w", "%{http_code}", &url]).await.ok();
    assert!(
        curl.text().contains("certificate is not trusted") && curl.text().contains("--ca-extra"),
        "{}",
        curl.text()
    );
    assert!(curl.text().ends_with("502"));
    let recorded = rig.stop().await;
    assert!(matches!(&recorded.exchange().end, End::Failed { reason } if reason.contains("not trusted")));
}

#[tokio::test]
async fn an_authority_can_be_added() {
    let nginx = Nginx::start().await;
    let extra_ca = vec![nginx.folder.path().join("cert.pem")];
    let rig = Rig::with(|config| {
        config.upstream_trust = UpstreamTrust {
            insecure: false,
            extra_ca,
        }
    })
    .await;
    rig.curl(&["--fail", &format!("https://localhost:{}/", nginx.tls)])
        .await
        .ok();
    rig.stop().await;
}

/// As `openssl req -x509` makes them.
#[tokio::test]
async fn a_self_signed_certificate_that_calls_itself_an_authority_can_be_added_for_its_own_name() {
    for (name, expected) in [("localhost", "200"), ("elsewhere.test", "502")] {
        let nginx = Nginx::with_certificate(IsCa::Ca(BasicConstraints::Unconstrained), name).await;
        let extra_ca = vec![nginx.folder.path().join("cert.pem")];
        let rig = Rig::with(|config| config.upstream_trust.extra_ca = extra_ca).await;
        let url = format!("https://localhost:{}/", nginx.tls);
        let curl = rig.curl(&["-w", "%{http_code}", &url]).await.ok();
        assert!(curl.text().ends_with(expected), "{name}: {}", curl.text());
        rig.stop().await;
    }
}

#[tokio::test]
async fn a_large_compressed_document_is_whole_but_for_the_script() {
    let nginx = Nginx::start().await;
    let lines: String = (0..20_000_u32)
        .map(|i| format!("<p>{}\n", i.wrapping_mul(2_654_435_761)))
        .collect();
    let html = format!("<!doctype html><title>large</title>{lines}");
    std::fs::write(nginx.folder.path().join("www/large.html"), &html).unwrap();
    let rig = Rig::start().await;
    let url = format!("http://127.0.0.1:{}/large.html", nginx.plain);
    let text = rig.curl(&["--compressed", &url]).await.ok().text().to_owned();
    let recorded = rig.stop().await;
    let response = recorded.exchange().response.as_ref().unwrap();
    assert_eq!(header(&response.headers, "content-encoding"), Some("gzip"));
    assert!(response.body.as_ref().unwrap().bytes > 64 * 1024);
    let script = script_path(&text);
    assert_eq!(text.replace(&format!("<script src=\"{script}\"></script>"), ""), html);
}

#[tokio::test]
async fn compressed_bodies_are_kept_as_they_came() {
    let nginx = Nginx::start().await;
    let rig = Rig::start().await;
    let url = format!("http://127.0.0.1:{}/data.bin", nginx.plain);
    let curl = rig.curl(&["--compressed", &url]).await.ok();
    assert_eq!(curl.out.len(), 100_000);
    let recorded = rig.stop().await;
    let exchange = recorded.exchange();
    assert_eq!(
        header(&exchange.response.as_ref().unwrap().headers, "content-encoding"),
        Some("gzip")
    );
    assert_eq!(&recorded.response_body(exchange)[..2], b"\x1f\x8b");
}

#[tokio::test]
async fn ranges_pass_as_they_are() {
    let nginx = Nginx::start().await;
    let rig = Rig::start().await;
    let url = format!("http://127.0.0.1:{}/data.bin", nginx.plain);
    let curl = rig.curl(&["-r", "10-19", "-w", "%{http_code}", &url]).await.ok();
    assert_eq!(curl.out, [&(10..20u8).collect::<Vec<_>>()[..], b"206"].concat());
    assert_eq!(rig.stop().await.exchange().response.as_ref().unwrap().status, 206);
}

#[tokio::test]
async fn a_server_that_ends_connections_early_loses_no_request() {
    let nginx = Nginx::start().await;
    let rig = Rig::trusting().await;
    let urls: Vec<String> = (0..40)
        .map(|i| match i % 2 {
            0 => format!("http://127.0.0.1:{}/data.bin?{i}", nginx.plain),
            _ => format!("https://localhost:{}/data.bin?{i}", nginx.tls),
        })
        .collect();
    // Over HTTP/2 nginx says GOAWAY after three requests, over HTTP/1.1 it closes.
    let mut arguments = vec!["--parallel", "--parallel-max", "20"];
    for url in &urls {
        arguments.extend([url.as_str()]);
    }
    rig.curl(&arguments).await.ok();
    let recorded = rig.stop().await;
    assert_eq!(recorded.exchanges.len(), 40);
    let failed: Vec<_> = recorded
        .exchanges
        .iter()
        .filter(|exchange| exchange.end != End::Complete)
        .collect();
    assert!(failed.is_empty(), "{failed:#?}");
}

#[tokio::test]
async fn large_uploads_in_parallel_over_http_2_all_arrive() {
    let nginx = Nginx::start().await;
    let rig = Rig::trusting().await;
    let body = rig.folder.path().join("upload");
    std::fs::write(&body, vec![7; 5_000_000]).unwrap();
    let url = format!("https://localhost:{}/sink", nginx.tls);
    let (data, mut arguments) = (
        format!("@{}", body.display()),
        vec!["--parallel", "--parallel-max", "12"],
    );
    for _ in 0..12 {
        if arguments.len() > 3 {
            arguments.push("--next");
        }
        arguments.extend([
            "--fail",
            "--http2",
            "-H",
            "Expect:",
            "-o",
            "/dev/null",
            "--data-binary",
            &data,
            &url,
        ]);
    }
    rig.curl(&arguments).await.ok();
    let recorded = rig.stop().await;
    assert_eq!(recorded.exchanges.len(), 12);
    for exchange in &recorded.exchanges {
        let body = exchange.request.body.as_ref().unwrap();
        assert_eq!((body.bytes, body.partial), (5_000_000, false));
    }
}

#[tokio::test]
async fn a_client_that_distrusts_us_is_told_of() {
    let nginx = Nginx::start().await;
    let rig = Rig::trusting().await;
    let own = nginx.folder.path().join("cert.pem");
    let curl = curl_through(rig.address(), &own, &[&format!("https://localhost:{}/", nginx.tls)]).await;
    assert_eq!(curl.status, 60, "{curl:?}");
    let recorded = rig.stop().await;
    assert!(
        recorded.notices[0].text.contains("does not trust"),
        "{:?}",
        recorded.notices
    );
}

#[tokio::test]
async fn another_tls_client_that_says_no_name_gets_an_address_certificate() {
    let nginx = Nginx::start().await;
    let rig = Rig::trusting().await;
    let mut client = TcpStream::connect(rig.address()).await.unwrap();
    client
        .write_all(format!("CONNECT 127.0.0.1:{0} HTTP/1.1\r\nhost: x\r\n\r\n", nginx.tls).as_bytes())
        .await
        .unwrap();
    read_head(&mut client).await;
    drop(client);
    rig.curl(&["--fail", &format!("https://127.0.0.1:{}/", nginx.tls)])
        .await
        .ok();
    rig.stop().await;
}
