// Pieces of GLSL that several demos share. They compile as GLSL ES 1.00 and 3.00.

/** Linear light to display values, with the exposure curve rolling highlights off. */
export const TONE = `
vec3 encode(vec3 linear) {
  return pow(clamp(linear, 0.0, 1.0), vec3(1.0 / 2.2));
}

vec3 tone(vec3 linear) {
  vec3 exposed = linear * 0.62;
  vec3 bent = exposed * (2.51 * exposed + 0.03) / (exposed * (2.43 * exposed + 0.59) + 0.14);
  return encode(bent);
}
`;

/** Light of a sun with a soft highlight, plus sky light from above and bounce from below. All directions are units. */
export const SUN_AND_SKY = `
vec3 shade(vec3 albedo, vec3 normal, vec3 toEye, vec3 toSun, vec3 sun, vec3 sky, vec3 ground, float gloss) {
  float facing = max(dot(normal, toSun), 0.0);
  vec3 halfway = normalize(toSun + toEye);
  float power = exp2(2.0 + gloss * 8.0);
  float highlight = pow(max(dot(normal, halfway), 0.0), power) * gloss * (power + 8.0) / 24.0;
  float fresnel = 0.04 + 0.96 * pow(1.0 - max(dot(halfway, toEye), 0.0), 5.0);
  vec3 ambient = mix(ground, sky, normal.y * 0.5 + 0.5);
  return albedo * (ambient + sun * facing) + sun * facing * highlight * fresnel;
}
`;
