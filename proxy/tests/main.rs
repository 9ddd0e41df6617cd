//! The proxy against real sockets, real TLS and real servers. One binary, so that it links once.

#[path = "proxy/bad_input.rs"]
mod bad_input;
#[path = "proxy/ca.rs"]
mod ca;
#[path = "proxy/documents.rs"]
mod documents;
#[path = "proxy/faults.rs"]
mod faults;
#[path = "proxy/kept.rs"]
mod kept;
#[path = "proxy/killed.rs"]
mod killed;
#[path = "proxy/nginx.rs"]
mod nginx;
#[path = "proxy/pages.rs"]
mod pages;
#[path = "proxy/pieces.rs"]
mod pieces;
#[path = "proxy/plain.rs"]
mod plain;
#[path = "proxy/serving.rs"]
mod serving;
#[path = "proxy/showing.rs"]
mod showing;
#[path = "proxy/support.rs"]
mod support;
#[path = "proxy/websocket.rs"]
mod websocket;
