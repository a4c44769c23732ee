/** `docs/security/operations.md` says what speaks with what. */
import { expect, test } from 'vitest'
import { sourceFiles } from './testing/shipped-sources.ts'

/** Where a connection to somewhere else is opened; the web app calls its own server alone. */
const OPENS: Readonly<Record<string, RegExp>> = {
  'the web': /\bfetch\)?\(|\bundici\b|\bnew WebSocket|\bhttp2?s?\.(?:request|connect)\(/,
  'a mail server': /\bcreateTransport\(/,
  'a collector of traces': /\bnew OTLPTraceExporter\(/,
  'a socket':
    /import \{[^}]*\b(?:connect|createConnection|createSocket)\b[^}]*\} from 'node:(?:net|tls|dgram)'/,
}

test('programs open connections to the web, to mail servers and to sockets in these files and no others', () => {
  const opening = sourceFiles()
    .filter(({ file }) => !/^apps\/(web|approvals\/page)\//.test(file))
    .flatMap(({ file, text }) =>
      Object.entries(OPENS).flatMap(([what, pattern]) => (pattern.test(text) ? [`${what}: ${file}`] : [])),
    )
  expect(opening.sort()).toEqual([
    'a collector of traces: packages/tracing/src/export.ts',
    'a mail server: apps/server/src/features/mail/transport.ts',
    'a socket: apps/gateway/src/core/socket-lock.ts',
    'a socket: apps/gateway/src/signer/socket.ts',
    'a socket: apps/server/src/features/identity/profile/avatar-image.ts',
    'the web: apps/server/src/features/demo/devnet-calls.ts',
    'the web: apps/server/src/features/identity/passwords/breached-passwords.ts',
    'the web: packages/tron/src/node-http.ts',
  ])
})
