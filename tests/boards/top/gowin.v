// Blocks of a Gowin FPGA that Yosys has no models of: block RAMs of 512 rows of 36 bits, read and
// written by 36, 18 or 9 bits, and a multiplier. A word of 18 bits or more has a bit of its address
// for each byte, which lets it be written. Inputs that are constant in our netlists are ignored.

`define CONTENTS parameter [287:0] \
  INIT_RAM_00 = 0, INIT_RAM_01 = 0, INIT_RAM_02 = 0, INIT_RAM_03 = 0, INIT_RAM_04 = 0, \
  INIT_RAM_05 = 0, INIT_RAM_06 = 0, INIT_RAM_07 = 0, INIT_RAM_08 = 0, INIT_RAM_09 = 0, \
  INIT_RAM_0A = 0, INIT_RAM_0B = 0, INIT_RAM_0C = 0, INIT_RAM_0D = 0, INIT_RAM_0E = 0, \
  INIT_RAM_0F = 0, INIT_RAM_10 = 0, INIT_RAM_11 = 0, INIT_RAM_12 = 0, INIT_RAM_13 = 0, \
  INIT_RAM_14 = 0, INIT_RAM_15 = 0, INIT_RAM_16 = 0, INIT_RAM_17 = 0, INIT_RAM_18 = 0, \
  INIT_RAM_19 = 0, INIT_RAM_1A = 0, INIT_RAM_1B = 0, INIT_RAM_1C = 0, INIT_RAM_1D = 0, \
  INIT_RAM_1E = 0, INIT_RAM_1F = 0, INIT_RAM_20 = 0, INIT_RAM_21 = 0, INIT_RAM_22 = 0, \
  INIT_RAM_23 = 0, INIT_RAM_24 = 0, INIT_RAM_25 = 0, INIT_RAM_26 = 0, INIT_RAM_27 = 0, \
  INIT_RAM_28 = 0, INIT_RAM_29 = 0, INIT_RAM_2A = 0, INIT_RAM_2B = 0, INIT_RAM_2C = 0, \
  INIT_RAM_2D = 0, INIT_RAM_2E = 0, INIT_RAM_2F = 0, INIT_RAM_30 = 0, INIT_RAM_31 = 0, \
  INIT_RAM_32 = 0, INIT_RAM_33 = 0, INIT_RAM_34 = 0, INIT_RAM_35 = 0, INIT_RAM_36 = 0, \
  INIT_RAM_37 = 0, INIT_RAM_38 = 0, INIT_RAM_39 = 0, INIT_RAM_3A = 0, INIT_RAM_3B = 0, \
  INIT_RAM_3C = 0, INIT_RAM_3D = 0, INIT_RAM_3E = 0, INIT_RAM_3F = 0
`define INIT { \
  INIT_RAM_3F, INIT_RAM_3E, INIT_RAM_3D, INIT_RAM_3C, INIT_RAM_3B, INIT_RAM_3A, INIT_RAM_39, \
  INIT_RAM_38, INIT_RAM_37, INIT_RAM_36, INIT_RAM_35, INIT_RAM_34, INIT_RAM_33, INIT_RAM_32, \
  INIT_RAM_31, INIT_RAM_30, INIT_RAM_2F, INIT_RAM_2E, INIT_RAM_2D, INIT_RAM_2C, INIT_RAM_2B, \
  INIT_RAM_2A, INIT_RAM_29, INIT_RAM_28, INIT_RAM_27, INIT_RAM_26, INIT_RAM_25, INIT_RAM_24, \
  INIT_RAM_23, INIT_RAM_22, INIT_RAM_21, INIT_RAM_20, INIT_RAM_1F, INIT_RAM_1E, INIT_RAM_1D, \
  INIT_RAM_1C, INIT_RAM_1B, INIT_RAM_1A, INIT_RAM_19, INIT_RAM_18, INIT_RAM_17, INIT_RAM_16, \
  INIT_RAM_15, INIT_RAM_14, INIT_RAM_13, INIT_RAM_12, INIT_RAM_11, INIT_RAM_10, INIT_RAM_0F, \
  INIT_RAM_0E, INIT_RAM_0D, INIT_RAM_0C, INIT_RAM_0B, INIT_RAM_0A, INIT_RAM_09, INIT_RAM_08, \
  INIT_RAM_07, INIT_RAM_06, INIT_RAM_05, INIT_RAM_04, INIT_RAM_03, INIT_RAM_02, INIT_RAM_01, \
  INIT_RAM_00 \
  }

// Two ports of 512 rows, the second one in the upper halves. A port that writes keeps what it has
// read in mode 0, shows what it writes in mode 1, and what was there before in mode 2.
module gowin_rows #(
  parameter WIDTH_A = 36, WIDTH_B = 36, MODE_A = 0, MODE_B = 0,
  parameter [18431:0] INIT = 0
) (
  input [1:0] clk, ce, write, input [27:0] at, input [71:0] given, output [71:0] word
);
  reg [35:0] rows [0:511];
  integer n;
  genvar port;

  initial
    for (n = 0; n < 512; n = n + 1) rows[n] = INIT[36 * n +: 36];

  generate
    for (port = 0; port < 2; port = port + 1) begin : ports
      localparam WIDTH = port ? WIDTH_B : WIDTH_A, MODE = port ? MODE_B : MODE_A;
      wire [8:0] row = at[14 * port + 5 +: 9];
      wire [4:0] part = at[14 * port +: 5];
      // Where the word begins in its row, and which bits of the row are written.
      wire [5:0] place = WIDTH == 36 ? 0 : WIDTH == 18 ? 18 * part[4] : 9 * part[4:3];
      wire [35:0] mask = WIDTH == 36 ? {{9{part[3]}}, {9{part[2]}}, {9{part[1]}}, {9{part[0]}}}
        : (WIDTH == 18 ? {{9{part[1]}}, {9{part[0]}}} : 36'h1FF) << place;
      wire [35:0] old = rows[row];
      wire [35:0] new_row = old & ~mask | given[36 * port +: 36] << place & mask;
      reg [35:0] shown = 0;
      reg [5:0] shown_at = 0;

      always @(posedge clk[port])
        if (ce[port]) begin
          if (write[port]) rows[row] <= new_row;
          if (!write[port] || MODE != 0) begin
            shown <= write[port] && MODE == 1 ? new_row : old;
            shown_at <= place;
          end
        end

      assign word[36 * port +: 36] = shown >> shown_at;
    end
  endgenerate
endmodule

// One port.
module SPX9 (
  input CLK, CE, WRE, OCE, RESET, input [2:0] BLKSEL, input [13:0] AD, input [35:0] DI,
  output [35:0] DO
);
  parameter BIT_WIDTH = 36, WRITE_MODE = 0, READ_MODE = 0, BLK_SEL = 0, RESET_MODE = "SYNC";
  `CONTENTS;
  wire [71:0] word;
  gowin_rows #(.WIDTH_A(BIT_WIDTH), .MODE_A(WRITE_MODE), .INIT(`INIT)) rows (
    .clk({1'b0, CLK}), .ce({1'b0, CE}), .write({1'b0, WRE}), .at({14'b0, AD}),
    .given({36'b0, DI}), .word(word)
  );
  assign DO = word[35:0];
endmodule

// Port A writes, and port B reads.
module SDPX9B (
  input CLKA, CEA, CLKB, CEB, OCE, RESETA, RESETB, input [2:0] BLKSELA, BLKSELB,
  input [13:0] ADA, ADB, input [35:0] DI, output [35:0] DO
);
  parameter BIT_WIDTH_0 = 36, BIT_WIDTH_1 = 36, READ_MODE = 0, BLK_SEL_0 = 0, BLK_SEL_1 = 0;
  parameter RESET_MODE = "SYNC";
  `CONTENTS;
  wire [71:0] word;
  gowin_rows #(.WIDTH_A(BIT_WIDTH_0), .WIDTH_B(BIT_WIDTH_1), .INIT(`INIT)) rows (
    .clk({CLKB, CLKA}), .ce({CEB, CEA}), .write(2'b01), .at({ADB, ADA}),
    .given({36'b0, DI}), .word(word)
  );
  assign DO = word[71:36];
endmodule

// Two ports.
module DPX9B (
  input CLKA, CEA, WREA, OCEA, RESETA, CLKB, CEB, WREB, OCEB, RESETB,
  input [2:0] BLKSELA, BLKSELB, input [13:0] ADA, ADB, input [17:0] DIA, DIB,
  output [17:0] DOA, DOB
);
  parameter BIT_WIDTH_0 = 18, BIT_WIDTH_1 = 18, WRITE_MODE0 = 0, WRITE_MODE1 = 0;
  parameter READ_MODE0 = 0, READ_MODE1 = 0, BLK_SEL_0 = 0, BLK_SEL_1 = 0, RESET_MODE = "SYNC";
  `CONTENTS;
  wire [71:0] word;
  gowin_rows #(
    .WIDTH_A(BIT_WIDTH_0), .WIDTH_B(BIT_WIDTH_1), .MODE_A(WRITE_MODE0), .MODE_B(WRITE_MODE1),
    .INIT(`INIT)
  ) rows (
    .clk({CLKB, CLKA}), .ce({CEB, CEA}), .write({WREB, WREA}), .at({ADB, ADA}),
    .given({18'b0, DIB, 18'b0, DIA}), .word(word)
  );
  assign DOA = word[17:0];
  assign DOB = word[53:36];
endmodule

// Without its registers.
module MULT9X9 (
  input [8:0] A, SIA, B, SIB, input ASIGN, BSIGN, ASEL, BSEL, CE, CLK, RESET,
  output [17:0] DOUT, output [8:0] SOA, SOB
);
  wire [17:0] a = {{9{ASIGN & A[8]}}, A}, b = {{9{BSIGN & B[8]}}, B};
  assign DOUT = a * b;
endmodule
