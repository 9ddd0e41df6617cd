//! Pages on loopback, from memory.

use std::net::SocketAddr;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

pub(crate) struct Site {
    address: SocketAddr,
}

impl Site {
    pub(crate) async fn serve(pages: &'static [(&'static str, &'static str)]) -> Site {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(answer(stream, pages));
            }
        });
        Site { address }
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }
}

async fn answer(mut stream: TcpStream, pages: &'static [(&'static str, &'static str)]) {
    let mut request = Vec::new();
    let mut chunk = [0; 4096];
    while !request.windows(4).any(|window| window == b"\r\n\r\n") {
        match stream.read(&mut chunk).await {
            Ok(count) if count > 0 => request.extend_from_slice(&chunk[..count]),
            _ => return,
        }
    }
    let text = String::from_utf8_lossy(&request);
    let path = text.split(' ').nth(1).unwrap_or("/").split('?').next().unwrap();
    let (status, body) = match pages.iter().find(|(page, _)| *page == path) {
        Some((_, body)) => ("200 OK", *body),
        None => ("404 Not Found", "not here"),
    };
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
        body.len()
    );
    // A browser that closes early is no failure of the test.
    let _ = stream.write_all(format!("{head}{body}").as_bytes()).await;
}
