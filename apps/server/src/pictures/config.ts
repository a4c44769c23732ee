/** The environment of the program that draws pictures. */
export const readPicturesSocket = (): string => {
  const { PICTURES_SOCKET } = process.env
  if (!PICTURES_SOCKET) throw new Error('PICTURES_SOCKET: is missing: where the API reaches this program')
  return PICTURES_SOCKET
}
