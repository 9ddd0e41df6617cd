//! An origin and clients that cost next to nothing themselves.

use crate::SMALL;
use std::net::SocketAddr;
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// Answers `/small/…` with a kilobyte and `/huge/N` with N bytes, over connections that stay open.
pub(crate) async fn origin() -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        loop {
            let (socket, _) = listener.accept().await.unwrap();
            socket.set_nodelay(true).unwrap();
            tokio::spawn(answer(socket));
        }
    });
    address
}

async fn answer(mut socket: TcpStream) {
    let small = response(SMALL as u64, SMALL);
    let mut head = Vec::with_capacity(4096);
    loop {
        head.clear();
        while !head.ends_with(b"\r\n\r\n") {
            match socket.read_buf(&mut head).await {
                Ok(0) | Err(_) => return,
                Ok(_) => {}
            }
        }
        let path = std::str::from_utf8(&head).unwrap().split(' ').nth(1).unwrap();
        let result = match path.strip_prefix("/huge/") {
            None => socket.write_all(&small).await,
            Some(bytes) => huge_body(&mut socket, bytes.parse().unwrap()).await,
        };
        if result.is_err() {
            return;
        }
    }
}

fn response(length: u64, filled: usize) -> Vec<u8> {
    let head = format!("HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: {length}\r\n\r\n");
    [head.into_bytes(), vec![b'x'; filled]].concat()
}

/// Bytes that do not compress well, as downloads do not.
async fn huge_body(socket: &mut TcpStream, bytes: u64) -> std::io::Result<()> {
    socket.write_all(&response(bytes, 0)).await?;
    let mut state = 1u32;
    let mut piece = vec![0u8; 1 << 20];
    for byte in &mut piece {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        *byte = (state >> 24) as u8;
    }
    let mut left = bytes as usize;
    while left > 0 {
        let count = left.min(piece.len());
        piece[0] = piece[0].wrapping_add(1);
        socket.write_all(&piece[..count]).await?;
        left -= count;
    }
    Ok(())
}

/// One connection on which requests follow each other.
struct Client {
    socket: TcpStream,
    request: Vec<u8>,
    buffer: Vec<u8>,
}

impl Client {
    async fn new(origin: SocketAddr, proxy: Option<SocketAddr>) -> Client {
        let socket = TcpStream::connect(proxy.unwrap_or(origin)).await.unwrap();
        socket.set_nodelay(true).unwrap();
        let url = if proxy.is_some() {
            format!("http://{origin}/small/x")
        } else {
            "/small/x".to_owned()
        };
        let request = format!("GET {url} HTTP/1.1\r\nhost: {origin}\r\nuser-agent: bench\r\naccept: */*\r\n\r\n");
        Client {
            socket,
            request: request.into_bytes(),
            buffer: Vec::with_capacity(16 * 1024),
        }
    }

    async fn ask(&mut self) {
        self.socket.write_all(&self.request).await.unwrap();
        self.buffer.clear();
        let mut end = usize::MAX;
        while self.buffer.len() < end {
            assert_ne!(
                self.socket.read_buf(&mut self.buffer).await.unwrap(),
                0,
                "the connection stays open"
            );
            if end == usize::MAX
                && let Some(head) = self.buffer.windows(4).position(|window| window == b"\r\n\r\n")
            {
                assert!(self.buffer.starts_with(b"HTTP/1.1 200"));
                end = head + 4 + SMALL;
            }
        }
    }
}

/// How many requests all connections together made in about `time`.
pub(crate) async fn rate(origin: SocketAddr, proxy: SocketAddr, connections: usize, time: Duration) -> (u64, Duration) {
    let start = Instant::now();
    let clients: Vec<_> = (0..connections)
        .map(|_| {
            tokio::spawn(async move {
                let mut client = Client::new(origin, Some(proxy)).await;
                let mut requests = 0;
                while start.elapsed() < time {
                    client.ask().await;
                    requests += 1;
                }
                requests
            })
        })
        .collect();
    let mut requests = 0;
    for client in clients {
        requests += client.await.unwrap();
    }
    (requests, start.elapsed())
}

/// Median and 99th percentile of requests that follow each other on one connection.
pub(crate) async fn latency(origin: SocketAddr, proxy: Option<SocketAddr>, requests: usize) -> (Duration, Duration) {
    let mut client = Client::new(origin, proxy).await;
    let mut times = Vec::with_capacity(requests);
    for _ in 0..requests {
        let start = Instant::now();
        client.ask().await;
        times.push(start.elapsed());
    }
    times.sort();
    (times[requests / 2], times[requests * 99 / 100])
}

/// Fetches one huge body and tells how much of it came.
pub(crate) async fn huge(origin: SocketAddr, proxy: SocketAddr, bytes: u64) -> u64 {
    let mut socket = TcpStream::connect(proxy).await.unwrap();
    let request = format!("GET http://{origin}/huge/{bytes} HTTP/1.1\r\nhost: {origin}\r\nconnection: close\r\n\r\n");
    socket.write_all(request.as_bytes()).await.unwrap();
    let mut buffer = vec![0; 256 * 1024];
    let (mut head, mut body) = (Vec::new(), None);
    loop {
        match (socket.read(&mut buffer).await.unwrap(), &mut body) {
            (0, body) => return body.unwrap_or(0),
            (count, Some(body)) => *body += count as u64,
            (count, None) => {
                head.extend_from_slice(&buffer[..count]);
                if let Some(end) = head.windows(4).position(|window| window == b"\r\n\r\n") {
                    body = Some((head.len() - end - 4) as u64);
                }
            }
        }
    }
}
