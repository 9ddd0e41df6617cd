onconnect = ({ ports: [port] }) => {
  port.onmessage = ({ data }) => port.postMessage('heard ' + data);
};
