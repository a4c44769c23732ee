/** `docs/security/cryptography.md` names all that the code uses. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from './core/config.ts'
import { sourceFiles } from './testing/shipped-sources.ts'

const document = readFileSync(join(root, 'docs/security/cryptography.md'), 'utf8')
const sources = sourceFiles()
const found = (pattern: RegExp) =>
  [...new Set(sources.flatMap(({ text }) => [...text.matchAll(pattern)].map(([, name = '']) => name)))].sort()

test('the code uses SHA-256 and AES-256-GCM, and SHA-1 for the codes of apps and the look-up of leaked passwords alone', () => {
  expect(found(/\b(?:createHash|createHmac|hkdfSync)\(\s*'([^']+)'/g)).toEqual(['sha1', 'sha256'])
  const withSha1 = sources.filter(({ text }) => /'sha-?1'/i.test(text)).map(({ file }) => file)
  expect(withSha1.sort()).toEqual([
    'apps/gateway/src/signer/approvals/totp.ts',
    'apps/server/src/features/identity/passwords/breached-passwords.ts',
    'apps/server/src/features/identity/second-factor/totp.ts',
  ])
  expect(found(/'(aes-[\w-]+|des-[\w-]+|rc4|chacha20[\w-]*)'/g)).toEqual(['aes-256-gcm'])
  expect(found(/\b(md5|createECDH|publicEncrypt|privateDecrypt|pbkdf2Sync|createCipher)\(/g)).toEqual([])
})

test('every library of cryptography and every purpose of a derived key is in the document', () => {
  const libraries = found(
    /(?:from|import\() ?'(@noble\/\w+|@scure\/\w+|jose|otpauth|@simplewebauthn\/\w+|@node-rs\/argon2|node:crypto)/g,
  )
  expect(libraries.length).toBeGreaterThan(6)
  expect(libraries.filter((name) => !document.includes(`\`${name}\``))).toEqual([])
  const purposes = found(/\bkeyFor\([^,]+, [`']([a-z ]+)/g).map((purpose) => purpose.trim())
  expect(purposes.length).toBeGreaterThan(4)
  expect(purposes.filter((purpose) => !document.includes(`\`${purpose}\``))).toEqual([])
})

test('numbers that must not be guessed come from the system: Math.random spreads retries and nothing else', () => {
  const files = sources.filter(({ text }) => text.includes('Math.random')).map(({ file }) => file)
  expect(files.sort()).toEqual(['apps/web/src/api/http.ts', 'apps/web/src/features/events/followEvents.ts'])
})
