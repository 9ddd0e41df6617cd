// Node-RED on a free loopback port, for the end-to-end tests: `serve.js PRELUDE ERRORS`, in a folder of its own.
//
// PRELUDE's script comes first in each page's head, and what the pages report is appended to ERRORS. Prints the port when
// it is ready.
'use strict';

const fs = require('node:fs');
const http = require('node:http');
const path = require('node:path');

const [prelude, errors] = process.argv.slice(2);
const application = process.env.NODE_RED;
const fromIt = (name) => require(require.resolve(name, { paths: [application] }));
const express = fromIt('express');
const RED = require(path.join(application, 'lib/red.js'));

const app = express();
const server = http.createServer(app);
const script = `<head><script>${fs.readFileSync(prelude, 'utf8')}</script>`;

app.post('/~/errors', express.text({ type: () => true }), (request, response) => {
  fs.appendFileSync(errors, request.body.replaceAll('\n', ' ') + '\n');
  response.end();
});
app.use((_request, response, next) => {
  const send = response.send.bind(response);
  response.send = (body) => send(typeof body === 'string' ? body.replace('<head>', script) : body);
  next();
});

RED.init(server, {
  httpAdminRoot: '/',
  httpNodeRoot: '/nodes',
  userDir: process.cwd(),
  flowFile: 'flows.json',
  credentialSecret: false,
  logging: { console: { level: 'error', metrics: false, audit: false } },
  editorTheme: { tours: false, projects: { enabled: false } },
  telemetry: { enabled: false, updateNotification: false },
  externalModules: { palette: { allowInstall: false } },
});
app.use('/', RED.httpAdmin);
app.use('/nodes', RED.httpNode);
RED.start().then(() => {
  server.listen(0, '127.0.0.1', () => console.log(server.address().port));
});
