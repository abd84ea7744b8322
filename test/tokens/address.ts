/** An address of Algorand, whose checksum is right, for calls that pay nothing to it. */
export const ADDRESS = 'CAMP64B6RZPI5NA264YSJK77A4M5JFMASFP3G2YJO3XVVPAAMYXD43NONQ';
