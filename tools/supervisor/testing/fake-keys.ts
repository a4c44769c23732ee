import { writeFileSync } from 'node:fs'

const out = process.argv[process.argv.indexOf('--out') + 1] ?? ''
writeFileSync(out, process.env['SIGNER_PASSPHRASE'] ?? '', { mode: 0o600 })
