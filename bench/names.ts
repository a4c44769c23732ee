/** What generated members are called, so that searching has something to find. */

const FIRST =
  'Sofía Mateo Valentina Santiago Camila Sebastián Isabella Diego Lucía Nicolás Mariana Andrés Gabriela Felipe Daniela Tomás Paula Emilio Renata Joaquín Elena Bruno Carla Hugo Irene Julián Laura Martín Natalia Óscar María José Ximena Iván Zoe Raúl Noemí Ángel Úrsula Efraín Begoña Íñigo Yolanda Wilmer Fernanda Rodrigo'
const LAST =
  'Rangel Díaz Gil Ortega Castro Mejía Rojas Vargas Salazar Peña Herrera Cruz Molina Arias Campos Vega Fuentes Navarro Ríos Muñoz Quintero Ibáñez Zúñiga Núñez Pérez Gómez López Hernández Álvarez Ospina Restrepo Uribe Jaramillo Echeverri Bedoya Cárdenas Agudelo'

export const FIRST_NAMES: readonly string[] = FIRST.split(' ')
export const LAST_NAMES: readonly string[] = LAST.split(' ')
