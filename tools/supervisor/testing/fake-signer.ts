import { readFileSync } from 'node:fs'
import { behave } from './fake-child.ts'

const { DATABASE_URL = '', SIGNER_KEYS = '', SIGNER_PASSPHRASE } = process.env
const opened = readFileSync(SIGNER_KEYS, 'utf8') === SIGNER_PASSPHRASE
behave(opened && DATABASE_URL.includes('_signer_login:') ? '' : 'fatal')
