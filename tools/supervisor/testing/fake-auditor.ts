import { behave } from './fake-child.ts'

behave(process.env['DATABASE_URL']?.includes('_auditor_login:') ? '' : 'fatal')
