import { expect, it } from 'vitest'
import { picturePath } from './picturePath.ts'

it.each([
  ['http://localhost:3000/api/avatars/AP.svg?tone=3', '/api/avatars/AP.svg?tone=3'],
  ['https://office.example/api/avatars/7/0f.webp', '/api/avatars/7/0f.webp'],
  ['/api/avatars/7/0f.webp', '/api/avatars/7/0f.webp'],
  [
    'https://elsewhere.example/pictures/api/avatars/1.webp',
    'https://elsewhere.example/pictures/api/avatars/1.webp',
  ],
  ['data:image/png;base64,AAAA', 'data:image/png;base64,AAAA'],
  ['', ''],
])('the picture at %j is asked for at %j', (url, path) => {
  expect(picturePath(url)).toBe(path)
})
