import { behave } from './fake-child.ts'

behave(process.env['PICTURES_SOCKET'] ? '' : 'fatal')
