import { expect, it } from 'vitest'
import { isEncryptedDatabase, isEncryptedSite } from './encrypted.ts'

it.each(['https://aval.example', 'http://localhost:3000', 'http://127.0.0.1:3000', 'http://[::1]:3000/path'])(
  '%s cannot be listened to',
  (address) => expect(isEncryptedSite(address)).toBe(true),
)

it.each(['http://aval.example', 'http://localhost.evil.example', 'http://10.0.0.7', 'ftp://localhost', 'x'])(
  '%s can be listened to',
  (address) => expect(isEncryptedSite(address)).toBe(false),
)

it.each([
  'postgres://a:b@db.example/aval?sslmode=verify-full&sslrootcert=/etc/ca.pem',
  'postgres://a:b@localhost/aval',
  'postgres://a:b@[::1]:5432/aval',
  'postgres://a:b@%2Fvar%2Frun%2Fpostgresql/aval',
  'postgres:///aval?host=/var/run/postgresql',
  'postgres:///aval',
])('what goes to %s cannot be listened to', (address) => expect(isEncryptedDatabase(address)).toBe(true))

it.each([
  'postgres://a:b@db.example/aval',
  'postgres://a:b@db.example/aval?sslmode=require',
  'postgres://a:b@db.example/aval?sslmode=no-verify',
  'postgres://a:b@db.example/aval?ssl=true',
  'postgres://a:b@localhost/aval?host=db.example',
  'postgres://a:b@db.example/aval?sslmode=verify-full&sslmode=disable',
  'postgres://a:b@localhost.example/aval',
])('what goes to %s can be listened to', (address) => expect(isEncryptedDatabase(address)).toBe(false))
