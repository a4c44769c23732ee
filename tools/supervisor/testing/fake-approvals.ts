import { behave } from './fake-child.ts'

behave(
  process.env['DATABASE_URL']?.includes('_approvals_login:') ? '' : 'fatal',
  process.env['APPROVALS_PORT'],
)
