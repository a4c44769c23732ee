import { simulate } from './testing/seeds.ts'

simulate(51, 50)
